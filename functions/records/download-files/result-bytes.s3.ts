import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { expiredFile } from './file-link.ts';
import type { ResultBytes } from './file-records.ts';

/** A file is read by requests of this size, the first of which has what most pages need. */
const FETCH_BYTES = 1 << 20;

/** Reads a result file of this size, from a position on. */
export const resultBytes = (bucket: string, client: S3Client = new S3Client({ maxAttempts: 5 })): ResultBytes =>
  async function* (key, { from, size }) {
    for (let at = from; at < size; at += FETCH_BYTES) {
      const range = `bytes=${at}-${Math.min(at + FETCH_BYTES, size) - 1}`;
      try {
        const request = new GetObjectCommand({ Bucket: bucket, Key: key, Range: range });
        const { Body: body, ContentRange: answered } = await client.send(request);
        if (!body || answered === undefined) throw new Error(`${key} came without the range ${range}.`);
        yield await body.transformToByteArray();
      } catch (error) {
        // Its row stays until the sweep of expired items.
        if (error instanceof NoSuchKey) throw expiredFile();
        throw error;
      }
    }
  };
