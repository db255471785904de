/** What KMS does: for every call the permissions that it needs, and the answer once they are given. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { NeededPermission } from '../aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { JsonObject } from '../endpoint/json.ts';
import { materialOf } from './ciphertext.ts';
import { contextConditions, type EncryptionContext } from './encryption-context.ts';
import type { Key } from './key.ts';
import type { Keys } from './keys.ts';
import { type DataKeyRequest, parsed, REQUESTS } from './request.ts';

export interface Store {
  readonly keys: Keys;
  readonly accountId: string;
  readonly now: () => Date;
}

export interface PreparedCall {
  readonly permissions: readonly NeededPermission[];
  readonly answer: () => object;
}

type Operation = (store: Store, body: JsonObject) => PreparedCall;

const ALGORITHM = 'SYMMETRIC_DEFAULT';
const DATA_KEY_BYTES = { AES_128: 16, AES_256: 32 };

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  Encrypt: operation(REQUESTS.Encrypt, (store, { KeyId, Plaintext, EncryptionContext: context }) => {
    const key = store.keys.named(KeyId);
    return {
      permissions: [permission(store, 'Encrypt', key, { context, named: KeyId, algorithm: ALGORITHM })],
      answer: () => ({ ...sealed(store, key, { plaintext: Plaintext, context }), EncryptionAlgorithm: ALGORITHM }),
    };
  }),

  Decrypt: operation(REQUESTS.Decrypt, (store, { CiphertextBlob, KeyId, EncryptionContext: context }) => {
    const key = keyOfCiphertext(store, CiphertextBlob, KeyId);
    return {
      permissions: [permission(store, 'Decrypt', key, { context, named: KeyId, algorithm: ALGORITHM })],
      answer: () => ({
        Plaintext: opened(key, CiphertextBlob, context).toString('base64'),
        KeyId: key.settings.arn,
        EncryptionAlgorithm: ALGORITHM,
      }),
    };
  }),

  GenerateDataKey: operation(REQUESTS.GenerateDataKey, (store, request) => {
    const { KeyId: named, EncryptionContext: context } = request;
    const key = store.keys.named(named);
    return {
      permissions: [permission(store, 'GenerateDataKey', key, { context, named })],
      answer: () => {
        const plaintext = newDataKey(request);
        return { ...sealed(store, key, { plaintext, context }), Plaintext: plaintext.toString('base64') };
      },
    };
  }),

  GenerateDataKeyWithoutPlaintext: operation(REQUESTS.GenerateDataKey, (store, request) => {
    const { KeyId: named, EncryptionContext: context } = request;
    const key = store.keys.named(named);
    return {
      permissions: [permission(store, 'GenerateDataKeyWithoutPlaintext', key, { context, named })],
      answer: () => sealed(store, key, { plaintext: newDataKey(request), context }),
    };
  }),

  ReEncrypt: operation(REQUESTS.ReEncrypt, (store, request) => {
    const { CiphertextBlob, SourceKeyId, DestinationKeyId } = request;
    const { SourceEncryptionContext: before, DestinationEncryptionContext: context } = request;
    const from = keyOfCiphertext(store, CiphertextBlob, SourceKeyId);
    const to = store.keys.named(DestinationKeyId);
    return {
      permissions: [
        permission(store, 'ReEncryptFrom', from, { context: before, named: SourceKeyId, algorithm: ALGORITHM }),
        permission(store, 'ReEncryptTo', to, { context, named: DestinationKeyId, algorithm: ALGORITHM }),
      ],
      answer: () => ({
        ...sealed(store, to, { plaintext: opened(from, CiphertextBlob, before), context }),
        SourceKeyId: from.settings.arn,
        SourceEncryptionAlgorithm: ALGORITHM,
        DestinationEncryptionAlgorithm: ALGORITHM,
      }),
    };
  }),

  DescribeKey: operation(REQUESTS.DescribeKey, (store, { KeyId }) =>
    about(store, 'DescribeKey', KeyId, (key) => ({ KeyMetadata: shown(store, key) })),
  ),

  GetKeyPolicy: operation(REQUESTS.GetKeyPolicy, (store, { KeyId }) =>
    about(store, 'GetKeyPolicy', KeyId, ({ settings }) => ({ Policy: settings.policy, PolicyName: 'default' })),
  ),

  GetKeyRotationStatus: operation(REQUESTS.GetKeyRotationStatus, (store, { KeyId }) =>
    about(store, 'GetKeyRotationStatus', KeyId, ({ settings: { arn, rotationDays }, nextRotation }) => ({
      KeyId: arn,
      KeyRotationEnabled: rotationDays !== null,
      ...(nextRotation && { RotationPeriodInDays: rotationDays, NextRotationDate: seconds(nextRotation) }),
    })),
  ),

  ListKeys: operation(REQUESTS.ListKeys, ({ keys }, page) => ({
    permissions: [{ action: 'kms:ListKeys', resource: '*' }],
    answer: () => {
      const { items, ...rest } = pageOf(keys.all(), ({ settings }) => settings.id, page);
      return { Keys: items.map(({ settings: { id, arn } }) => ({ KeyId: id, KeyArn: arn })), ...rest };
    },
  })),

  ListAliases: operation(REQUESTS.ListAliases, ({ keys }, { KeyId, ...page }) => ({
    permissions: [{ action: 'kms:ListAliases', resource: '*' }],
    answer: () => {
      const all = keys.aliasesOf(KeyId === undefined ? undefined : keys.named(KeyId));
      const { items, ...rest } = pageOf(all, ({ name }) => name, page);
      const Aliases = items.map(({ name, arn, keyId }) => ({ AliasName: name, AliasArn: arn, TargetKeyId: keyId }));
      return { Aliases, ...rest };
    },
  })),
};

/** Input is checked before anything else, as AWS does. */
function operation<Schema extends z.ZodType>(
  schema: Schema,
  prepare: (store: Store, request: z.output<Schema>) => PreparedCall,
): Operation {
  return (store, body) => prepare(store, parsed(schema, body));
}

interface Use {
  readonly context?: EncryptionContext;
  /** How the caller named the key. */
  readonly named?: string | undefined;
  readonly algorithm?: string;
}

/** Policies speak of keys, never of aliases: an alias is only a condition. */
function permission({ keys, accountId }: Store, operation: string, key: Key, use: Use): NeededPermission {
  const aliases = keys.aliasesOf(key);
  const alias = aliases.find(({ name, arn }) => use.named === name || use.named === arn);
  return {
    action: `kms:${operation}`,
    resource: key.settings.arn,
    context: {
      'kms:CallerAccount': accountId,
      'kms:KeySpec': ALGORITHM,
      ...(use.algorithm !== undefined && { 'kms:EncryptionAlgorithm': use.algorithm }),
      ...(alias && { 'kms:RequestAlias': alias.name }),
      ...(aliases.length > 0 && { 'kms:ResourceAliases': aliases.map(({ name }) => name) }),
      ...contextConditions(use.context ?? {}),
    },
  };
}

function about(store: Store, operation: string, named: string, answer: (key: Key) => object): PreparedCall {
  const key = store.keys.named(named);
  return { permissions: [permission(store, operation, key, { named })], answer: () => answer(key) };
}

/** A ciphertext tells its key; a caller who names one as well wants no other. */
function keyOfCiphertext({ keys }: Store, blob: Buffer, wanted: string | undefined): Key {
  const key = keys.withId(materialOf(blob)?.keyId ?? '');
  if (wanted !== undefined && keys.named(wanted) !== key) {
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

function opened(key: Key, blob: Buffer, context: EncryptionContext): Buffer {
  requireEnabled(key);
  const plaintext = key.decrypt(blob, context);
  if (!plaintext) throw invalidCiphertext();
  return plaintext;
}

function requireEnabled({ settings: { enabled, arn } }: Key) {
  if (!enabled) throw new CallRefusal(400, 'DisabledException', `${arn} is disabled.`);
}

/** AWS says no more either: the reason would help an attacker. */
const invalidCiphertext = () => new CallRefusal(400, 'InvalidCiphertextException', 'The ciphertext is invalid.');

function newDataKey({ KeySpec, NumberOfBytes }: DataKeyRequest): Buffer {
  return randomBytes(KeySpec ? DATA_KEY_BYTES[KeySpec] : (NumberOfBytes ?? 0));
}

function shown({ accountId }: Store, { settings: { id, arn, description, enabled }, createdAt }: Key) {
  return {
    AWSAccountId: accountId,
    KeyId: id,
    Arn: arn,
    CreationDate: seconds(createdAt),
    Enabled: enabled,
    KeyState: enabled ? 'Enabled' : 'Disabled',
    Description: description,
    KeyUsage: 'ENCRYPT_DECRYPT',
    KeySpec: ALGORITHM,
    CustomerMasterKeySpec: ALGORITHM,
    EncryptionAlgorithms: [ALGORITHM],
    Origin: 'AWS_KMS',
    KeyManager: 'CUSTOMER',
    MultiRegion: false,
  };
}

interface Page {
  readonly Limit: number;
  readonly Marker?: string | undefined;
}

/** What comes after the marker, which is the name of the last one shown before. */
function pageOf<T>(sorted: readonly T[], nameOf: (item: T) => string, { Limit, Marker = '' }: Page) {
  const rest = sorted.filter((item) => nameOf(item) > Marker);
  const items = rest.slice(0, Limit);
  const last = items.at(-1);
  return last && rest.length > Limit
    ? { items, Truncated: true, NextMarker: nameOf(last) }
    : { items, Truncated: false };
}

const seconds = (time: Date) => time.getTime() / 1000;
