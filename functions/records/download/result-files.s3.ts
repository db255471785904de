import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileStorage } from './run-download.ts';

/** Most files are smaller and go up with one request; a larger one goes in parts, two of them in memory. */
const PART_BYTES = 16 * 1024 * 1024;

const CONTENT_TYPES = { json: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;

/** The bucket of result files. */
export const resultFiles = (bucket: string, client: S3Client = new S3Client({ maxAttempts: 5 })): FileStorage => ({
  async write(key, format, chunks) {
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    const upload = new Upload({
      client,
      params: { Bucket: bucket, Key: key, Body: Readable.from(counted()), ContentType: CONTENT_TYPES[format] },
      partSize: PART_BYTES,
      queueSize: 2,
    });
    await upload.done();
    return bytes;
  },
});
