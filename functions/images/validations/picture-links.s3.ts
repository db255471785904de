import { GetObjectCommand, PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { PictureLinks } from './loyalty-view.ts';

const LINK_SECONDS = 3_600;

/** Signs links to pictures. A link also ends when the credentials of the function that signed it expire. */
export const pictureLinks = (
  bucket: string,
  { seconds = LINK_SECONDS, client = linkingClient() }: { seconds?: number; client?: S3Client } = {},
): PictureLinks => ({
  view: (key) => getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds }),
  upload: (key, bytes) =>
    getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: key, ContentLength: bytes }), {
      expiresIn: seconds,
    }),
});

/** A client whose signed links also work for programs that do not support checksums. */
export const linkingClient = (config: S3ClientConfig = {}): S3Client =>
  new S3Client({ ...config, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' });
