/** The members of KMS requests. What is not listed for an operation is refused, because it would not be done. */
import { z } from 'zod';
import type { EncryptionContext } from './encryption-context.ts';

const PLAINTEXT_BYTES_MAX = 4096;
const CIPHERTEXT_BYTES_MAX = 6144;

const bytes = (maximum: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(({ length }) => length > 0 && length <= maximum, { error: `must have 1 to ${maximum} bytes` });

const name = z.string().min(1).max(2048);
/** No record: that would drop a pair named `__proto__` without a word, and what is dropped is not authenticated. */
const context = z
  .custom<EncryptionContext>(isContext, { error: 'must be names with texts' })
  .nullish()
  .transform((given) => given ?? {});
const algorithm = z.literal('SYMMETRIC_DEFAULT').optional();

export const REQUESTS = {
  Encrypt: z.strictObject({
    KeyId: name,
    Plaintext: bytes(PLAINTEXT_BYTES_MAX),
    EncryptionContext: context,
    EncryptionAlgorithm: algorithm,
  }),
  Decrypt: z.strictObject({
    CiphertextBlob: bytes(CIPHERTEXT_BYTES_MAX),
    KeyId: name.optional(),
    EncryptionContext: context,
    EncryptionAlgorithm: algorithm,
  }),
};

function isContext(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  return Object.values(given).every((value) => typeof value === 'string');
}
