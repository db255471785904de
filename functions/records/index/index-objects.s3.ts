import { DeleteObjectsCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { segmentObjectKey } from './segments.s3.ts';
import type { StoredObject } from './unused-objects.ts';

const PREFIX = segmentObjectKey('');
/** The most that one call takes. */
const DELETED_AT_ONCE = 1_000;

/** Lists and removes the objects of the index. */
export const indexObjects = (bucket: string, client: S3Client = new S3Client({ maxAttempts: 5 })) => ({
  async *list(): AsyncGenerator<StoredObject[]> {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: PREFIX })) {
      yield (page.Contents ?? []).flatMap(({ Key: key, LastModified: modifiedAt }) =>
        key && modifiedAt ? [{ key: key.slice(PREFIX.length), modifiedAt }] : [],
      );
    }
  },

  async remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
      const objects = keys.slice(at, at + DELETED_AT_ONCE).map((key) => ({ Key: segmentObjectKey(key) }));
      const { Errors: errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }),
      );
      if (errors.length > 0)
        throw new Error(`${errors.length} objects could not be removed, first: ${errors[0]?.Code}.`);
    }
  },
});
