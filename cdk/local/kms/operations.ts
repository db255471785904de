/** The operations of KMS. Each names the permissions that it needs, and answers once they are given. */
import type { NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type Operations, operationsOf } from '../endpoint/json-service.ts';
import { materialOf } from './ciphertext.ts';
import { contextConditions, type EncryptionContext } from './encryption-context.ts';
import type { Key } from './key.ts';
import type { Keys } from './keys.ts';
import { REQUESTS } from './request.ts';

export interface Store {
  readonly keys: Keys;
  readonly accountId: string;
  readonly now: () => Date;
}

const ALGORITHM = 'SYMMETRIC_DEFAULT';

const operation = operationsOf<Store>('ValidationException');

export const OPERATIONS: Operations<Store> = {
  Encrypt: operation(REQUESTS.Encrypt, (store, { KeyId, Plaintext, EncryptionContext: context }) => {
    const key = store.keys.named(KeyId);
    return {
      permissions: [permission(store, 'Encrypt', key, { context, algorithm: ALGORITHM })],
      answer: () => ({ ...sealed(store, key, { plaintext: Plaintext, context }), EncryptionAlgorithm: ALGORITHM }),
    };
  }),

  Decrypt: operation(REQUESTS.Decrypt, (store, { CiphertextBlob, KeyId, EncryptionContext: context }) => {
    const key = keyOfCiphertext(store, CiphertextBlob, KeyId);
    return {
      permissions: [permission(store, 'Decrypt', key, { context, algorithm: ALGORITHM })],
      answer: () => ({
        Plaintext: decrypt(key, CiphertextBlob, context).toString('base64'),
        KeyId: key.settings.arn,
        EncryptionAlgorithm: ALGORITHM,
      }),
    };
  }),
};

interface Use {
  readonly context?: EncryptionContext;
  readonly algorithm?: string;
}

function permission({ accountId }: Store, operation: string, key: Key, use: Use = {}): NeededPermission {
  return {
    action: `kms:${operation}`,
    resource: key.settings.arn,
    context: {
      'kms:CallerAccount': accountId,
      'kms:KeySpec': ALGORITHM,
      ...(use.algorithm !== undefined && { 'kms:EncryptionAlgorithm': use.algorithm }),
      ...contextConditions(use.context ?? {}),
    },
  };
}

/** Returns the key that the ciphertext names. A key that the caller names must be the same. */
function keyOfCiphertext({ keys }: Store, blob: Buffer, named: string | undefined): Key {
  const key = keys.withId(materialOf(blob)?.keyId ?? '');
  if (named !== undefined && keys.named(named) !== key) {
    throw new CallRefusal(
      400,
      'IncorrectKeyException',
      'The key ID in the request does not identify a CMK that can perform this operation.',
    );
  }
  if (!key) throw invalidCiphertext();
  return key;
}

function sealed({ now }: Store, key: Key, { plaintext, context }: { plaintext: Buffer; context: EncryptionContext }) {
  requireEnabled(key);
  return { CiphertextBlob: key.encrypt(plaintext, context, now()).toString('base64'), KeyId: key.settings.arn };
}

function decrypt(key: Key, blob: Buffer, context: EncryptionContext): Buffer {
  requireEnabled(key);
  const plaintext = key.decrypt(blob, context);
  if (!plaintext) throw invalidCiphertext();
  return plaintext;
}

function requireEnabled({ settings: { enabled, arn } }: Key) {
  if (!enabled) throw new CallRefusal(400, 'DisabledException', `${arn} is disabled.`);
}

/** Like AWS, this gives no reason, because it would help an attacker. */
const invalidCiphertext = () => new CallRefusal(400, 'InvalidCiphertextException', 'The ciphertext is invalid.');
