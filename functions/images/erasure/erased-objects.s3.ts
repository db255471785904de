import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { callLimits } from '#shared/call-limits';
import type { TenantKey } from '#shared/ids';
import { examinedImageOf, imageNameOf, validationFolders } from '../validations/picture-keys.ts';
import { storedText } from '../validations/stored-text.s3.ts';
import type { Mark, ValidationErasureDeps } from './erase-validation.ts';

type ObjectDeps = Pick<ValidationErasureDeps, 'storedMarks' | 'removeObjects'>;

/** The objects of a record. The bucket keeps no versions: a deleted object is gone. */
export function erasedObjectsIn(bucket: string, client: S3Client = ownClient()): ObjectDeps {
  /** Pages of keys, of at most 1,000, which is also what one call deletes. */
  async function* keysOf(record: TenantKey): AsyncIterable<readonly string[]> {
    for (const prefix of validationFolders(record)) {
      let next: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: next }),
        );
        yield (page.Contents ?? []).flatMap(({ Key: key }) => key ?? []);
        next = page.NextContinuationToken;
      } while (next !== undefined);
    }
  }

  async function markIn(key: string): Promise<Mark> {
    const slot = examinedImageOf(key);
    // Pictures are named by the hash of their bytes.
    if (slot === undefined) return { slot: imageNameOf(key), sha256: imageNameOf(key) };
    return { slot, likeness: likenessIn(await storedText(client, { bucket, key })) };
  }

  return {
    async storedMarks(record) {
      const marks: Mark[] = [];
      for await (const keys of keysOf(record)) {
        for (const key of keys) marks.push(await markIn(key));
      }
      return marks;
    },

    async removeObjects(record) {
      for await (const keys of keysOf(record)) {
        if (keys.length === 0) continue;
        const { Errors: [refused] = [] } = await client.send(
          new DeleteObjectsCommand({
            Bucket: bucket,
            Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
          }),
        );
        if (refused) throw new Error(`S3 did not delete an object: ${refused.Code}.`);
      }
    },
  };
}

const Examined = z.object({ likeness: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

/** Undefined of what cannot be read: then nothing was pointed to by it. */
function likenessIn(text: string | undefined): string | undefined {
  try {
    return z.safeParse(Examined, JSON.parse(text ?? '')).data?.likeness;
  } catch {
    return undefined;
  }
}

const ownClient = () => new S3Client({ maxAttempts: 3, requestHandler: callLimits(5_000) });
