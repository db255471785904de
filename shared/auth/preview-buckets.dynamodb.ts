import { SharedBuckets } from '#shared/metering/shared-buckets';
import { bucketStore } from '#shared/metering/shared-buckets.dynamodb';
import type { Bucket } from '#shared/metering/token-bucket';
import type { Key, Table } from '#shared/table/table.dynamodb';
import { PREVIEWS } from './data-token.ts';

/** Ten previews a second, twenty at once. */
const PREVIEW_BUCKET: Bucket = { tokenMicros: 100_000, burst: 20 };

/** The key of a holder's preview limits: a `previewHolder`, or a tenant whose people search. @param item its bucket, or a day */
export const previewsKey = (holder: string, item: string): Key => ({ pk: `${PREVIEWS}${holder}`, sk: item });

/** The buckets that limit previews. @param table of the accounts, which every function behind `/v3` reads */
export const previewBuckets = (table: Table): SharedBuckets =>
  new SharedBuckets(
    bucketStore(table, (holder) => previewsKey(holder, 'BUCKET')),
    PREVIEW_BUCKET,
  );
