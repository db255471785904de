import { resource } from '#shared/env';

/** Tenants and their credentials. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
