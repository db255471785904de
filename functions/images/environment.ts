import { resource } from '#shared/env';

/** Variables shared by several handlers of this domain. */
export const imagesTable = { IMAGES_TABLE: resource };
/** Submitted pictures, and what was read in them. */
export const picturesBucket = { PICTURES_BUCKET: resource };
/** Belongs to another domain: apps, customers and their points. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
