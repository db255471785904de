import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../functions/webhooks/sending/masked-answer.ts';
import { type Authentication, requestHeaders } from '../../../functions/webhooks/sending/request-headers.ts';
import type { Answered } from '../../../functions/webhooks/sending/sending.ts';

const answered = (bytes: Uint8Array): Answered => ({
  kind: 'answered',
  statusCode: 200,
  body: { bytes, isTruncated: false },
  timings: { totalMillis: 1 },
});
const withoutSecret = (result: Answered, authentication: Authentication) =>
  withoutSecrets(result, { authentication, signing: [], signature: [] });
const masked = (answer: string | Uint8Array, authentication: Authentication) =>
  Buffer.from(withoutSecret(answered(Buffer.from(answer)), authentication).body?.bytes ?? []).toString();

const secret = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
const authentication: fc.Arbitrary<Exclude<Authentication, { type: 'none' }>> = fc.oneof(
  fc.record({ type: fc.constant('bearer' as const), secret }),
  fc.record({ type: fc.constant('apiKey' as const), headerName: fc.constant('X-Key'), secret }),
  fc.record({ type: fc.constant('basic' as const), username: fc.constant('user'), secret }),
);

describe('an answer that sends back what was sent', () => {
  it('is kept without the secret, in whichever header it went out', () => {
    fc.assert(
      fc.property(authentication, fc.boolean(), (used, asJson) => {
        fc.pre(used.secret.length > 3 && !'***'.includes(used.secret));
        const headers = requestHeaders({ idempotencyKey: 'key', custom: [], authentication: used, signature: [] });
        const value = headers.at(-1)?.[1] ?? '';
        const sent = value.slice(value.indexOf(' ') + (used.type === 'apiKey' ? 0 : 1));
        const body = asJson ? JSON.stringify({ sent, secret: used.secret }) : `<p>${sent}</p><p>${used.secret}</p>`;
        const result = masked(body, used);
        expect(result).not.toContain(used.secret);
        if (used.type === 'basic') expect(result).not.toContain(sent);
        expect(result).toContain('***');
      }),
    );
  });

  it('is left as it is otherwise, byte by byte', () => {
    const bytes = fc.uint8Array({ maxLength: 100 });
    fc.assert(
      fc.property(bytes, (body) => {
        const other = { type: 'bearer', secret: 'a-secret-of-the-endpoint' } as const;
        expect(withoutSecret(answered(body), other).body?.bytes).toEqual(body);
        expect(withoutSecret(answered(body), { type: 'none' }).body?.bytes).toEqual(body);
      }),
    );
  });

  it('is recognised in Latin-1, in UTF-8 and in a URL', () => {
    const key = { type: 'apiKey', headerName: 'X-Key', secret: 'schlüssel' } as const;
    expect(masked(Buffer.from('key=schlüssel.', 'latin1'), key)).toBe('key=***.');
    expect(masked('{"key":"schlüssel"}', key)).toBe('{"key":"***"}');
    expect(masked('?key=schl%C3%BCssel&more', key)).toBe('?key=***&more');
  });

  const SECRET = 'k7Pq-2vXw_9ZtLm4RbYc';
  const used = { type: 'bearer', secret: SECRET } as const;

  it.each([
    ['a part of it', SECRET.slice(3, 11)],
    ['upper case', SECRET.toUpperCase()],
    ['reverse order', Array.from(SECRET).reverse().join('')],
    ['a part of it in reverse order', Array.from(SECRET).reverse().join('').slice(5, 14)],
    ['base64', Buffer.from(SECRET).toString('base64')],
    ['base64 for URLs', Buffer.from(SECRET).toString('base64url')],
    ['hexadecimal digits', Buffer.from(SECRET).toString('hex')],
    ['large hexadecimal digits', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['base64 of the reverse', Buffer.from(Array.from(SECRET).reverse().join('')).toString('base64')],
  ])('is kept without %s', (_form, sent) => {
    expect(masked(`key="${sent}"`, used).replaceAll('***', '')).toBe('key=""');
  });

  const key = Buffer.from('the bytes of a key that signs 123');
  const signing = `whsec_${key.toString('base64')}`;
  const signature = 'K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=';

  it.each([
    ['the secret that signed it', signing],
    ['its key', key],
    ['the key in hexadecimal digits', key.toString('hex')],
    ['the signature, with which it could be sent once more', signature],
  ])('is kept without %s', (_what, sent) => {
    const body = Buffer.concat([Buffer.from('{"x":"'), Buffer.from(sent), Buffer.from('"}')]);
    const { body: result } = withoutSecrets(answered(body), {
      authentication: { type: 'none' },
      signing: [signing],
      signature: [['webhook-signature', `v1,other v1,${signature}`]],
    });
    expect(Buffer.from(result?.bytes ?? []).toString()).toBe('{"x":"***"}');
  });

  it.each(['k', 'ab', 'abc'])('is kept apart from a short secret: %s', (short) => {
    const body = 'XYZ: 0123456789 WJjYWIM/+ EeGgQq';
    const result = masked(`${body}${short}`, { type: 'bearer', secret: short });
    expect(result).toBe(
      `${body.replaceAll(new RegExp(`${short}|${Array.from(short).toReversed().join('')}`, 'gi'), '***')}***`,
    );
  });

  it('is kept without the secret wherever that stands in a text in base64', () => {
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(around, around, (before, after) => {
        const text = Buffer.from(`${before}${SECRET}${after}`).toString('base64');
        const result = masked(text, used).replaceAll('***', '');
        // At its ends, a character of base64 belongs to the neighbour too.
        expect(text.length - result.length).toBeGreaterThanOrEqual((SECRET.length * 4) / 3 - 2);
      }),
    );
  });

  it('is kept without the start of a secret that the limit has cut, however short', () => {
    for (const sent of [SECRET, Buffer.from(SECRET).toString('hex')]) {
      for (let length = 1; length < sent.length; length += 1) {
        const bytes = Buffer.from(`key: ${sent.slice(0, length)}`);
        const cut = withoutSecret({ ...answered(bytes), body: { bytes, isTruncated: true } }, used);
        expect(Buffer.from(cut.body?.bytes ?? []).toString()).toBe('key: ***');
      }
    }
  });

  it('is masked to its end in a form that begins with the secret itself', () => {
    const half = { type: 'bearer', secret: 'half%' } as const;
    expect(masked('?token=half%25&more', half)).toBe('?token=***&more');
  });
});
