import { resource } from '#shared/env';

/** These variables are shared by several handlers of the domain. */
export const placesTable = { PLACES_TABLE: resource };
/** The table belongs to the domain `accounts`. It holds apps, customers and their points. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
