import * as z from 'zod/mini';
import { type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { APP, AppSettings, IMAGES_PER_RECORD_MAX, type KnownApps } from './app.ts';

/** The item of an app in the accounts table. Settings that are missing in older items have their defaults. */
export const AppItem = z.object({
  ...AppSettings.shape,
  /** Earlier versions accepted up to 100. */
  imagesPerRecord: z.pipe(
    z.optional(
      z.pipe(
        z.int(),
        z.transform((stored) => Math.min(stored, IMAGES_PER_RECORD_MAX)),
      ),
    ),
    AppSettings.shape.imagesPerRecord,
  ),
  id: z.string(),
  tenant: z.string(),
  createdAt: z.string(),
  /** The SHA-256 hash, in base64url. */
  secretHash: z.string(),
});

export const appKey = (id: string): Key => ({ pk: `${APP}${id}`, sk: 'APP' });

/**
 * Finds apps.
 * @param table the accounts table
 */
export const knownApps = (table: Table): KnownApps => ({
  byId: (id) => readItem(table, appKey(id), (item) => AppItem.parse(item)),
});
