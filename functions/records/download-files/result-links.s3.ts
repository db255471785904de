import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ResultLinks } from './present-result.ts';

/**
 * Links to result files. Each expires with the credentials of the function that signed it, after a few hours at most.
 */
export const resultLinks = (bucket: string, client: S3Client = linkingClient()): ResultLinks => ({
  link(key, fileName, seconds) {
    const object = new GetObjectCommand({
      Bucket: bucket,
      Key: key,
      ResponseContentDisposition: `attachment; filename="${fileName}"`,
    });
    return getSignedUrl(client, object, { expiresIn: seconds });
  },
});

/** Clients that open the link need not support checksums. */
const linkingClient = () =>
  new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' });
