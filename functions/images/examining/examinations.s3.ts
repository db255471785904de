import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { TenantKey } from '#shared/ids';
import { callLimits } from '#shared/quotas/call-limits';
import { Examination } from '../examination/examination.ts';
import { examinationKey } from '../validations/picture-keys.ts';

/**
 * Reads pictures, and reads and writes examinations.
 * @param client
 * @default a client made for the function
 */
export function examinationStore(bucket: string, client?: S3Client) {
  const s3 = client ?? new S3Client({ maxAttempts: 4, requestHandler: callLimits(10_000) });
  return {
    /** Undefined if the picture was erased in the meantime. */
    bytes: async (key: string): Promise<Uint8Array | undefined> => {
      try {
        const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        if (!body) throw new Error('S3 has answered without an object.');
        return await body.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },

    store: async (validation: TenantKey, name: string, examination: Examination): Promise<void> => {
      const put = new PutObjectCommand({
        Bucket: bucket,
        Key: examinationKey(validation, name),
        Body: JSON.stringify(examination),
        ContentType: 'application/json',
      });
      await s3.send(put);
    },

    examination: async (validation: TenantKey, name: string): Promise<Examination> => {
      const object = new GetObjectCommand({ Bucket: bucket, Key: examinationKey(validation, name) });
      const { Body: body } = await s3.send(object);
      return Examination.parse(JSON.parse((await body?.transformToString()) ?? ''));
    },
  };
}
