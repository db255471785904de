import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { callLimits } from '#shared/quotas/call-limits';

export interface ErasedBucket {
  readonly bucket: string;
  /** @default one of its own */
  readonly client?: S3Client;
}

let own: S3Client | undefined;
export const erasingClient = (): S3Client => {
  own ??= new S3Client({ maxAttempts: 3, requestHandler: callLimits(5_000) });
  return own;
};

/** Pages of keys below a prefix, of at most 1,000, which is also what one call deletes. */
export async function* keysBelow(
  { bucket, client = erasingClient() }: ErasedBucket,
  prefix: string,
): AsyncGenerator<readonly string[]> {
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: next }),
    );
    yield (page.Contents ?? []).flatMap(({ Key: key }) => key ?? []);
    next = page.NextContinuationToken;
  } while (next !== undefined);
}

/** Removes every object below the prefix. */
export async function removeObjects(from: ErasedBucket, prefix: string): Promise<void> {
  const { bucket, client = erasingClient() } = from;
  for await (const keys of keysBelow(from, prefix)) {
    if (keys.length === 0) continue;
    const { Errors: [refused] = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true } }),
    );
    if (refused) throw new Error(`S3 did not delete an object: ${refused.Code}.`);
  }
}
