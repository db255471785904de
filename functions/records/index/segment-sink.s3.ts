import { PassThrough } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { OpenSink, SegmentSinks } from './index-writer.ts';
import { segmentObjectKey } from './segments.s3.ts';

const PART_BYTES = 8 * 1024 * 1024;

/** Writes data objects part by part, in memory that does not grow with the object. */
export const segmentSinks = (bucket: string, client: S3Client = new S3Client({ maxAttempts: 5 })): SegmentSinks => ({
  open(key: string): OpenSink {
    const body = new PassThrough({ highWaterMark: PART_BYTES });
    const upload = new Upload({
      client,
      params: { Bucket: bucket, Key: segmentObjectKey(key), Body: body },
      partSize: PART_BYTES,
      queueSize: 3,
    });
    let failure: unknown;
    const done = upload.done().catch((error: unknown) => {
      failure = error;
      body.destroy();
    });
    const check = () => {
      if (failure !== undefined) throw failure;
    };
    return {
      async write(chunk) {
        check();
        if (!body.write(chunk)) await Promise.race([drained(body), done]);
        check();
      },
      async close() {
        body.end();
        await done;
        check();
      },
      async abort() {
        await upload.abort();
        body.destroy();
        await done;
      },
    };
  },
});

const drained = (body: PassThrough) =>
  new Promise<void>((resolve) => {
    body.once('drain', resolve);
    body.once('close', resolve);
  });
