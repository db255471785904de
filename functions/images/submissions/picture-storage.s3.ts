import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { callLimits } from '#shared/quotas/call-limits';
import type { NewPicture } from './new-images.ts';
import type { UploadedObject, Uploads } from './receive-upload.ts';

export const picturesClient = (): S3Client => new S3Client({ maxAttempts: 3, requestHandler: callLimits(8_000) });

/** Stores pictures in the bucket. */
export const pictureStorage =
  (bucket: string, client: S3Client = picturesClient()) =>
  async ({ image, bytes }: NewPicture): Promise<void> => {
    const { key, mimeType } = image;
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: mimeType }));
  };

/** Reads and deletes what clients have uploaded. */
export const uploadsIn = (bucket: string, client: S3Client = picturesClient()): Uploads => ({
  async find(key) {
    const head = await unlessGone(client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })));
    if (!head) return undefined;
    const { ETag: etag, ContentLength: bytes } = head;
    if (etag === undefined || bytes === undefined) throw new Error(`${key} came without its size.`);
    return { key, etag, bytes };
  },

  async read(upload) {
    const object = await unlessGone(client.send(new GetObjectCommand(thisVersion(bucket, upload))));
    return object?.Body?.transformToByteArray();
  },

  async remove(upload) {
    await unlessGone(client.send(new DeleteObjectCommand(thisVersion(bucket, upload))));
  },
});

const thisVersion = (bucket: string, { key, etag }: UploadedObject) => ({ Bucket: bucket, Key: key, IfMatch: etag });

/** Undefined if the object, or the requested version of it, no longer exists. */
async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === 404 || status === 412) return undefined;
    throw error;
  }
}
