import { resource } from '#shared/env';

/** These variables are shared by several handlers of the domain. */
export const imagesTable = { IMAGES_TABLE: resource };
/** The bucket holds submitted pictures and their examinations. */
export const picturesBucket = { PICTURES_BUCKET: resource };
/** The table belongs to the domain `accounts`. It holds apps, customers and their points. */
export const accountsTable = { ACCOUNTS_TABLE: resource };
