import { loyaltyError } from '#shared/loyalty/loyalty-error';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Reads the header `Idempotency-Key`; undefined if there is none. */
export function readIdempotencyKey(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || KEY.test(key)) return key;
  throw loyaltyError('argument_error', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
