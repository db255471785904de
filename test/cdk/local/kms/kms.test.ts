import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Credentials } from '../../../../cdk/local/endpoint/endpoint.ts';
import type { PolicyDocument } from '../../../../cdk/local/iam/policy-document.ts';
import { Key } from '../../../../cdk/local/kms/key.ts';
import { Keys } from '../../../../cdk/local/kms/keys.ts';
import { KmsService } from '../../../../cdk/local/kms/kms-service.ts';
import {
  ACCOUNT_ID,
  allowing,
  type Condition,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';
import { signedPost } from '../../../support/cloud/signed-call.ts';

const OWNER = `arn:aws:iam::${ACCOUNT_ID}:root`;
const START = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 3600 * 1000;

let endpoint: LocalEndpoint;
let keys: Keys;
let now = START;
let count = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  keys = new Keys(REGION, ACCOUNT_ID);
  endpoint.add(new KmsService({ keys, accountId: ACCOUNT_ID, now: () => new Date(now) }));
});
afterAll(() => endpoint.close());

function statement(principal: { AWS: string }, action = 'kms:*'): PolicyDocument {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: principal, Action: action, Resource: '*' }],
  };
}

interface Options {
  readonly enabled?: boolean;
  readonly rotationDays?: number;
  readonly policy?: PolicyDocument;
}

function newKey({ enabled = true, rotationDays, policy = statement({ AWS: OWNER }) }: Options = {}): string {
  const id = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
  const arn = keys.keyArn(id);
  const settings = { id, arn, enabled, rotationDays: rotationDays ?? null };
  keys.add(new Key(settings, null, new Date(now)));
  endpoint.setResourcePolicy(arn, policy);
  return arn;
}

type Answer = Record<string, unknown> & { readonly CiphertextBlob: string; readonly Plaintext: string };

async function call(operation: string, input: object, credentials: Credentials = endpoint.root) {
  const response = await signedPost({
    ...endpoint.clientOptions(credentials),
    service: 'kms',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${operation}` },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

/** The answer of a call that succeeds. */
async function done(operation: string, input: object, credentials?: Credentials): Promise<Answer> {
  const { status, body } = await call(operation, input, credentials);
  expect(body).not.toHaveProperty('__type');
  expect(status).toBe(200);
  return body;
}

/** The name of the error of a call that fails. */
async function errorOf(operation: string, input: object, credentials?: Credentials): Promise<unknown> {
  return (await call(operation, input, credentials)).body['__type'];
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const Plaintext = base64('a secret');

describe('encryption', () => {
  test('is undone without naming the key, by whoever knows the context', async () => {
    const KeyId = newKey();
    const EncryptionContext = { tenant: 'acme', configuration: '7' };
    const { CiphertextBlob, ...rest } = await done('Encrypt', { KeyId, Plaintext, EncryptionContext });
    expect(rest).toEqual({ KeyId, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
    expect(Buffer.from(CiphertextBlob, 'base64').includes('a secret')).toBe(false);
    const reordered = { configuration: '7', tenant: 'acme' };
    expect(await done('Decrypt', { CiphertextBlob, EncryptionContext: reordered })).toEqual({
      Plaintext,
      KeyId,
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    });
    for (const wrong of [
      undefined,
      {},
      { tenant: 'acme' },
      { ...reordered, more: '' },
      { ...reordered, tenant: 'x' },
    ]) {
      expect(await errorOf('Decrypt', { CiphertextBlob, EncryptionContext: wrong })).toBe('InvalidCiphertextException');
    }
  });

  test('is refused to ciphertexts that were changed, cut or made up', async () => {
    const { CiphertextBlob } = await done('Encrypt', { KeyId: newKey(), Plaintext });
    const blob = Buffer.from(CiphertextBlob, 'base64');
    const changed = Buffer.from(blob);
    changed.writeUInt8(changed.readUInt8(40) ^ 1, 40);
    const otherKey = Buffer.from(blob);
    otherKey.fill(1, 1, 17);
    for (const bad of [changed, blob.subarray(0, -1), blob.subarray(0, 20), otherKey, Buffer.from('hello')]) {
      const tried = { CiphertextBlob: bad.toString('base64') };
      expect(await errorOf('Decrypt', tried)).toBe('InvalidCiphertextException');
    }
  });

  test('takes 1 to 4096 bytes', async () => {
    const KeyId = newKey();
    const most = base64('x'.repeat(4096));
    const { CiphertextBlob } = await done('Encrypt', { KeyId, Plaintext: most });
    expect(await done('Decrypt', { CiphertextBlob })).toMatchObject({ Plaintext: most });
    for (const bad of [base64('x'.repeat(4097)), '', 'no base64!']) {
      expect(await errorOf('Encrypt', { KeyId, Plaintext: bad })).toBe('ValidationException');
    }
  });

  test('binds every pair of the context, whatever its name', async () => {
    const KeyId = newKey();
    const EncryptionContext: unknown = JSON.parse('{"__proto__":"a","constructor":"b"}');
    const { CiphertextBlob } = await done('Encrypt', { KeyId, Plaintext, EncryptionContext });
    expect(await done('Decrypt', { CiphertextBlob, EncryptionContext })).toMatchObject({ Plaintext });
    const without = { CiphertextBlob, EncryptionContext: { constructor: 'b' } };
    expect(await errorOf('Decrypt', without)).toBe('InvalidCiphertextException');
    const numbers = { KeyId, Plaintext, EncryptionContext: { tenant: 7 } };
    expect(await errorOf('Encrypt', numbers)).toBe('ValidationException');
  });

  test('goes on with old ciphertexts when the material of the key is renewed', async () => {
    const KeyId = newKey({ rotationDays: 90 });
    const old = await done('Encrypt', { KeyId, Plaintext });
    now = START + 91 * DAY_MS;
    const fresh = await done('Encrypt', { KeyId, Plaintext });
    const versionOf = ({ CiphertextBlob }: Answer) => Buffer.from(CiphertextBlob, 'base64').readUInt32BE(17);
    expect([versionOf(old), versionOf(fresh)]).toEqual([0, 1]);
    for (const { CiphertextBlob } of [old, fresh]) {
      expect(await done('Decrypt', { CiphertextBlob })).toMatchObject({ Plaintext });
    }
    now = START;
  });
});

describe('a key', () => {
  test('is found by id and ARN', async () => {
    const arn = newKey();
    const id = arn.split('/').at(-1) ?? '';
    const { CiphertextBlob } = await done('Encrypt', { KeyId: id, Plaintext });
    for (const KeyId of [arn, id]) {
      expect(await done('Decrypt', { KeyId, CiphertextBlob })).toMatchObject({ KeyId: arn, Plaintext });
    }
    for (const KeyId of [
      'none',
      arn.replace(/.$/, 'x'),
      arn.replace(REGION, 'eu-west-1'),
      arn.replace(ACCOUNT_ID, '1'.repeat(12)),
    ])
      expect(await errorOf('Encrypt', { KeyId, Plaintext })).toBe('NotFoundException');
  });

  test('is not found by an alias, and the refusal says that there are none', async () => {
    for (const KeyId of ['alias/secrets', `arn:aws:kms:${REGION}:${ACCOUNT_ID}:alias/secrets`]) {
      const { body } = await call('Encrypt', { KeyId, Plaintext });
      expect(body).toMatchObject({
        __type: 'NotFoundException',
        message: `The local cloud does not have aliases of keys: '${KeyId}'`,
      });
    }
  });

  test('that is named besides the ciphertext must be the one', async () => {
    const { CiphertextBlob } = await done('Encrypt', { KeyId: newKey(), Plaintext });
    const other = newKey();
    expect(await errorOf('Decrypt', { CiphertextBlob, KeyId: other })).toBe('IncorrectKeyException');
  });

  test('that is disabled does nothing', async () => {
    const KeyId = newKey({ enabled: false });
    expect(await errorOf('Encrypt', { KeyId, Plaintext })).toBe('DisabledException');
  });
});

describe('a role', () => {
  const using = (action: string | string[], KeyId: string, condition?: Condition) =>
    endpoint.role(`user${++count}`, allowing(action, KeyId, condition));

  test('needs the permission on the key', async () => {
    const KeyId = newKey();
    const { CiphertextBlob } = await done('Encrypt', { KeyId, Plaintext });
    const encrypts = using('kms:Encrypt', KeyId);
    await done('Encrypt', { KeyId, Plaintext }, encrypts);
    expect(await errorOf('Decrypt', { CiphertextBlob }, encrypts)).toBe('AccessDeniedException');
    expect(await errorOf('Encrypt', { KeyId: newKey(), Plaintext }, encrypts)).toBe('AccessDeniedException');
  });

  test('may be held to an encryption context', async () => {
    const KeyId = newKey();
    const decrypts = using('kms:Decrypt', KeyId, {
      StringEquals: { 'kms:EncryptionContext:tenant': 'acme' },
      'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['tenant', 'configuration'] },
    });
    const tried = async (EncryptionContext?: Record<string, string>) => {
      const { CiphertextBlob } = await done('Encrypt', { KeyId, Plaintext, EncryptionContext });
      return errorOf('Decrypt', { CiphertextBlob, EncryptionContext }, decrypts);
    };
    expect(await tried({ tenant: 'acme', configuration: '7' })).toBeUndefined();
    expect(await tried({ tenant: 'other', configuration: '7' })).toBe('AccessDeniedException');
    expect(await tried({ tenant: 'acme', more: '1' })).toBe('AccessDeniedException');
    expect(await tried()).toBe('AccessDeniedException');
  });

  test('that may use a key through another service only may not use it itself', async () => {
    const KeyId = newKey();
    const viaS3 = using('kms:*', KeyId, { StringEquals: { 'kms:ViaService': `s3.${REGION}.amazonaws.com` } });
    expect(await errorOf('Encrypt', { KeyId, Plaintext }, viaS3)).toBe('AccessDeniedException');
  });

  test('is allowed by a key that names it, and by its own policies only where the key says so', async () => {
    const named = { AWS: `arn:aws:iam::${ACCOUNT_ID}:role/named` };
    const KeyId = newKey({ policy: statement(named) });
    await done('Encrypt', { KeyId, Plaintext }, endpoint.role('named'));
    const ambitious = endpoint.role('ambitious', allowing('kms:*', '*'));
    const refused = await call('Encrypt', { KeyId, Plaintext }, ambitious);
    expect(refused.body['message']).toContain('because no resource-based policy allows the kms:Encrypt action');
    // The account may encrypt with this one, and no more.
    const encrypting = newKey({ policy: statement({ AWS: ACCOUNT_ID }, 'kms:Encrypt') });
    const { CiphertextBlob } = await done('Encrypt', { KeyId: encrypting, Plaintext }, ambitious);
    expect(await errorOf('Decrypt', { CiphertextBlob }, ambitious)).toBe('AccessDeniedException');
  });

  test('is refused by a key that denies', async () => {
    const policy: PolicyDocument = {
      Statement: [
        { Effect: 'Allow', Principal: { AWS: OWNER }, Action: 'kms:*', Resource: '*' },
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 'kms:Decrypt',
          Resource: '*',
          Condition: { Null: { 'kms:EncryptionContext:tenant': 'true' } },
        },
      ],
    };
    const KeyId = newKey({ policy });
    const free = endpoint.role('free', allowing('kms:*', '*'));
    const { CiphertextBlob } = await done('Encrypt', { KeyId, Plaintext }, free);
    expect(await errorOf('Decrypt', { CiphertextBlob }, free)).toBe('AccessDeniedException');
    const EncryptionContext = { tenant: 'acme' };
    const bound = await done('Encrypt', { KeyId, Plaintext, EncryptionContext }, free);
    await done('Decrypt', { CiphertextBlob: bound.CiphertextBlob, EncryptionContext }, free);
  });
});

describe('a call', () => {
  test('of an unsupported operation is refused by name', async () => {
    for (const operation of ['CreateGrant', 'GenerateDataKey', 'ReEncrypt']) {
      const { status, body } = await call(operation, { KeyId: newKey() });
      expect([status, body['__type']]).toEqual([400, 'UnknownOperationException']);
      expect(body['message']).toBe(`The local cloud does not have ${operation} of KMS.`);
    }
    expect(await errorOf('constructor', {})).toBe('UnknownOperationException');
  });

  test('with a member that would not be obeyed is refused', async () => {
    const KeyId = newKey();
    expect(await errorOf('Encrypt', { KeyId, Plaintext, Recipient: {} })).toBe('ValidationException');
    const rsa = { KeyId, Plaintext, EncryptionAlgorithm: 'RSAES_OAEP_SHA_256' };
    expect(await errorOf('Encrypt', rsa)).toBe('ValidationException');
    expect(await errorOf('Encrypt', { Plaintext })).toBe('ValidationException');
  });

  test('without a signature is refused in the words of KMS', async () => {
    const headers = { 'x-amz-target': 'TrentService.Encrypt' };
    const answer = await fetch(endpoint.url, { method: 'POST', headers, body: '{}' });
    expect(await answer.json()).toMatchObject({ __type: 'AccessDeniedException' });
  });
});
