import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { callLimits } from '#shared/quotas/call-limits';
import type { SegmentObjects } from './index-writer.ts';

/** The prefix of keys of the index. */
export const PREFIX = 'segments/';

export const segmentObjectKey = (key: string): string => `${PREFIX}${key}`;

let client: S3Client | undefined;

/** Many small reads at once: a query reads all segments together. */
function s3Client(): S3Client {
  client ??= new S3Client({
    maxAttempts: 5,
    requestHandler: { ...callLimits(10_000), httpsAgent: { maxSockets: 256 } },
  });
  return client;
}

/** @param client for a command or a test; by default the function's own. */
export function segmentStorage(bucket: string, client: S3Client = s3Client()): SegmentObjects {
  async function get(key: string, range?: string): Promise<Uint8Array> {
    const { Body: body } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: segmentObjectKey(key), ...(range && { Range: range }) }),
    );
    if (!body) throw new Error(`${key} came without a body.`);
    return body.transformToByteArray();
  }
  return {
    read: (key, offset, length) => get(key, `bytes=${offset}-${offset + length - 1}`),
    readWhole: (key) => get(key),
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: segmentObjectKey(key), Body: bytes }));
    },
  };
}
