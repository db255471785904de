/** The members of Secrets Manager's requests. What is not listed for an operation is refused, because it would not be done. */
import { z } from 'zod';

export const VALUE_BYTES_MAX = 65_536;
const STAGES_MAX = 20;
export const SECRET_NAME = /^[\w/+=.@!-]{1,512}$/;

const secretId = z
  .string()
  .max(2048)
  .refine((id) => id.startsWith('arn:') || SECRET_NAME.test(id), {
    error: 'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  });
const stage = z.string().min(1).max(256);
const versionId = z.string().min(32).max(64);

export const REQUESTS = {
  GetSecretValue: z.strictObject({
    SecretId: secretId,
    VersionId: versionId.optional(),
    VersionStage: stage.optional(),
  }),
  PutSecretValue: z.strictObject({
    SecretId: secretId,
    ClientRequestToken: versionId.optional(),
    SecretString: z
      .string()
      .min(1)
      .refine((text) => Buffer.byteLength(text) <= VALUE_BYTES_MAX, { error: `has more than ${VALUE_BYTES_MAX} bytes` })
      .optional(),
    SecretBinary: z
      .base64()
      .min(1)
      .refine((text) => Buffer.byteLength(text, 'base64') <= VALUE_BYTES_MAX, {
        error: `has more than ${VALUE_BYTES_MAX} bytes`,
      })
      .optional(),
    VersionStages: z.array(stage).min(1).max(STAGES_MAX).optional(),
  }),
  DescribeSecret: z.strictObject({ SecretId: secretId }),
};

export type GetSecretValueRequest = z.output<typeof REQUESTS.GetSecretValue>;
export type PutSecretValueRequest = z.output<typeof REQUESTS.PutSecretValue>;
