import { resource } from '#shared/env';

/** Variables shared by several handlers of this domain. */
export const placesTable = { PLACES_TABLE: resource };
/** Belongs to another domain: apps, customers and their points. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
