import { expect, it } from 'vitest';
import { readIdempotencyKey } from '../../../../functions/images/submissions/requests/idempotency-key.ts';

it('an Idempotency-Key is read unchanged, or is absent', () => {
  expect(readIdempotencyKey({})).toBeUndefined();
  for (const key of ['k', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'x'.repeat(255)]) {
    expect(readIdempotencyKey({ 'idempotency-key': key })).toBe(key);
  }
});

it.each(['', 'a b', 'é', 'x'.repeat(256)])('%j is no Idempotency-Key', (key) => {
  expect(() => readIdempotencyKey({ 'idempotency-key': key })).toThrow('Idempotency-Key must be');
});
