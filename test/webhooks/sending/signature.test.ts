import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  isSignatureHeader,
  maskedSignatureHeaders,
  signatureHeaders,
  signingKey,
  signingSecret,
} from '../../../functions/webhooks/sending/signature.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const AT = Date.parse('2026-11-25T10:00:00.999Z');
// The package asks the clock how old a request is.
beforeEach(() => void vi.useFakeTimers({ now: AT, toFake: ['Date'] }));

const newSecret = () => signingSecret(randomBytes(32));
const signed = (body: string, secrets: readonly string[], at = AT) =>
  Object.fromEntries(signatureHeaders({ idempotencyKey: 'key-1', at, body: Buffer.from(body) }, secrets));

describe('a signed request', () => {
  it('is verified by the published package with any of its secrets, whatever the body', () => {
    const secret = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(signingSecret);
    const secrets = fc.uniqueArray(secret, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.json({ stringUnit: CODE_POINT }), secrets, (body, all) => {
        const headers = signed(body, all);
        for (const one of all) expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body));
        expect(headers['webhook-signature']?.split(' ')).toHaveLength(all.length);
      }),
    );
  });

  it.each([
    ['another secret', {}, newSecret()],
    ['another body', { body: '{"a":2}' }, undefined],
    ['another id', { 'webhook-id': 'key-2' }, undefined],
    ['another time', { 'webhook-timestamp': '1795600801' }, undefined],
  ])('is refused with %s', (_what, { body = '{"a":1}', ...changed }: Record<string, string>, other) => {
    const secret = newSecret();
    const headers = { ...signed('{"a":1}', [secret]), ...changed };
    expect(() => new Webhook(other ?? secret).verify(body, headers)).toThrow('No matching signature found');
  });

  it('is refused when it is sent once more ten minutes later', () => {
    const secret = newSecret();
    const headers = signed('{}', [secret], AT - 600_000);
    expect(() => new Webhook(secret).verify('{}', headers)).toThrow('too old');
  });

  it('has the example of the specification', () => {
    const headers = signatureHeaders(
      {
        idempotencyKey: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        at: 1_614_265_330_000,
        body: Buffer.from('{"test": 2432232314}'),
      },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(headers).toEqual([
      ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
      ['webhook-timestamp', '1614265330'],
      ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    ]);
  });
});

it('the receiver of the README takes what is signed, and nothing else', async () => {
  const root = join(import.meta.dirname, '../../..');
  const [, code = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(root, 'functions/webhooks/README.md'), 'utf8')) ?? [];
  // Where the package is installed.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/receiver-'));
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, code);
  const secret = newSecret();
  vi.stubEnv('SIGNING_SECRET', secret);
  try {
    const { verified } = await import(pathToFileURL(file).href);
    const headers = signed('{"a":1}', [newSecret(), secret]);
    expect(verified({ headers, body: '{"a":1}' })).toEqual({ a: 1 });
    expect(() => verified({ headers, body: '{"a":2}' })).toThrow('No matching signature');
    expect(() => verified({ headers: {}, body: '{"a":1}' })).toThrow('Missing required headers');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a request without a secret has no header of a signature', () => {
  expect(signed('{}', [])).toEqual({});
  expect(maskedSignatureHeaders({ idempotencyKey: 'key-1', at: AT }, 0)).toEqual([]);
});

it('the delivery log shows id, time and how many signatures there were, and none of them', () => {
  expect(maskedSignatureHeaders({ idempotencyKey: 'key-1', at: AT }, 2)).toEqual([
    ['webhook-id', 'key-1'],
    ['webhook-timestamp', String(Math.floor(AT / 1000))],
    ['webhook-signature', 'v1,*** v1,***'],
  ]);
});

it('a secret is `whsec_` and the key in base64, and the names of the headers are known in any letter case', () => {
  const key = randomBytes(32);
  expect(signingSecret(key)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(signingKey(signingSecret(key))).toEqual(key);
  expect(['Webhook-ID', 'WEBHOOK-TIMESTAMP', 'webhook-signature'].every(isSignatureHeader)).toBe(true);
  expect(['webhook', 'x-webhook-id'].some(isSignatureHeader)).toBe(false);
});
