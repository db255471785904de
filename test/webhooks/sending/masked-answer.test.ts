import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSecret } from '../../../functions/webhooks/sending/masked-answer.ts';
import { type Authentication, requestHeaders } from '../../../functions/webhooks/sending/request-headers.ts';
import type { Answered } from '../../../functions/webhooks/sending/sending.ts';

const answered = (bytes: Uint8Array): Answered => ({
  kind: 'answered',
  statusCode: 200,
  body: { bytes, isTruncated: false },
  timings: { totalMillis: 1 },
});
const shown = (answer: string | Uint8Array, authentication: Authentication) =>
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
        const headers = requestHeaders({ idempotencyKey: 'key', custom: [], authentication: used });
        const value = headers.at(-1)?.[1] ?? '';
        const sent = value.slice(value.indexOf(' ') + (used.type === 'apiKey' ? 0 : 1));
        const body = asJson ? JSON.stringify({ sent, secret: used.secret }) : `<p>${sent}</p><p>${used.secret}</p>`;
        const kept = shown(body, used);
        expect(kept).not.toContain(used.secret);
        if (used.type === 'basic') expect(kept).not.toContain(sent);
        expect(kept).toContain('***');
      }),
    );
  });

  it('is left as it is otherwise, byte by byte', () => {
    const bytes = fc.uint8Array({ maxLength: 100 });
    fc.assert(
      fc.property(bytes, (body) => {
        const used = { type: 'bearer', secret: 'a-secret-of-the-endpoint' } as const;
        expect(withoutSecret(answered(body), used).body?.bytes).toEqual(body);
        expect(withoutSecret(answered(body), { type: 'none' }).body?.bytes).toEqual(body);
      }),
    );
  });

  it('is recognised in Latin-1, in UTF-8 and in a URL', () => {
    const used = { type: 'apiKey', headerName: 'X-Key', secret: 'schlüssel' } as const;
    expect(shown(Buffer.from('key=schlüssel.', 'latin1'), used)).toBe('key=***.');
    expect(shown('{"key":"schlüssel"}', used)).toBe('{"key":"***"}');
    expect(shown('?key=schl%C3%BCssel&more', used)).toBe('?key=***&more');
  });

  it('is masked to its end in a form that begins with the secret itself', () => {
    const used = { type: 'bearer', secret: 'half%' } as const;
    expect(shown('?token=half%25&more', used)).toBe('?token=***&more');
  });
});
