import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kmsSecrets } from '../../../functions/webhooks/configurations/secrets.kms.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createKey } from '../../support/cloud/local-key.ts';

const OWNER = { tenant: 'acme', configuration: 'cfg_1' };

let endpoint: LocalEndpoint;
let key: string;
let client: KMSClient;
let decryptions = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  key = createKey(endpoint);
  client = new KMSClient({ ...endpoint.clientOptions() });
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === DecryptCommand.name) decryptions += 1;
        return next(args);
      },
    { step: 'initialize' },
  );
});
afterAll(() => endpoint.close());

let time = 0;
const secrets = () => kmsSecrets({ key, client, clock: () => time });

describe('secrets in KMS', () => {
  it('come back for their owner, byte for byte, and never look the same', async () => {
    const { encrypt, decrypt } = secrets();
    for (const secret of ['s3cret', 'Jörg \u2603', 'x'.repeat(4_096)]) {
      const [one, other] = [await encrypt(secret, OWNER), await encrypt(secret, OWNER)];
      expect(one).not.toBe(other);
      expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain(secret.slice(0, 6));
      expect(await decrypt(one, OWNER)).toBe(secret);
      expect(await decrypt(other, OWNER)).toBe(secret);
    }
  });

  it('are not decrypted for another owner, even right after their own', async () => {
    const { encrypt, decrypt } = secrets();
    const sealed = await encrypt('s3cret', OWNER);
    await decrypt(sealed, OWNER);
    expect(await decrypt(sealed, { ...OWNER, tenant: 'evil' })).toBeUndefined();
    expect(await decrypt(sealed, { ...OWNER, configuration: 'cfg_2' })).toBeUndefined();
  });

  it('are given up only when the ciphertext is at fault; a refusal by KMS is an error, so that the attempt is repeated', async () => {
    const { encrypt, decrypt } = secrets();
    const sealed = await encrypt('s3cret', OWNER);
    expect(await decrypt(Buffer.from('of another key').toString('base64'), OWNER)).toBeUndefined();
    const stranger = new KMSClient({ ...endpoint.clientOptions(endpoint.role('Stranger')) });
    const refused = kmsSecrets({ key, client: stranger, clock: () => time });
    await expect(refused.decrypt(sealed, OWNER)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(await decrypt(sealed, OWNER)).toBe('s3cret');
  });

  it('are decrypted once in five minutes, and an edited one at once', async () => {
    const { encrypt, decrypt } = secrets();
    const before = await encrypt('old', OWNER);
    decryptions = 0;
    for (const minute of [0, 1, 4.99]) {
      time = minute * 60_000;
      expect(await decrypt(before, OWNER)).toBe('old');
    }
    expect(decryptions).toBe(1);
    expect(await decrypt(await encrypt('new', OWNER), OWNER)).toBe('new');
    expect(decryptions).toBe(2);
    time = 5 * 60_000;
    await decrypt(before, OWNER);
    expect(decryptions).toBe(3);
  });

  it('are kept in memory a thousand at a time', async () => {
    let calls = 0;
    const counting = { send: async () => ({ Plaintext: Buffer.from(String((calls += 1))) }) } as unknown as KMSClient;
    const { decrypt } = kmsSecrets({ key, client: counting, clock: () => 0 });
    for (let i = 0; i <= 1_000; i += 1) await decrypt(`ciphertext ${i}`, OWNER);
    expect(calls).toBe(1_001);
    expect(await decrypt('ciphertext 1', OWNER)).toBe('2');
    expect(await decrypt('ciphertext 0', OWNER)).toBe('1002');
  });
});
