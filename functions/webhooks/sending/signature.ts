import { createHmac, randomBytes } from 'node:crypto';
import type { Header } from './sending.ts';

const PREFIX = 'whsec_';
/** The version prefix of a signature. */
const VERSION = 'v1,';
/** The length of a new key: Standard Webhooks recommends 24 to 64 bytes. */
const KEY_BYTES = 32;
const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const [ID, TIMESTAMP, SIGNATURE] = NAMES;

/** Formats a key as people copy it: `whsec_` and its bytes in base64. */
export const signingSecret = (key: Uint8Array): string => `${PREFIX}${Buffer.from(key).toString('base64')}`;

export const newSigningSecret = (): string => signingSecret(randomBytes(KEY_BYTES));

/** Returns the key bytes of a secret. */
export const signingKey = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** Returns whether this header belongs to the signature. */
export const isSignatureHeader = (name: string): boolean => NAMES.some((own) => own === name.toLowerCase());

interface Signed {
  readonly idempotencyKey: string;
  /** The time of the attempt: receivers refuse requests that are older than a few minutes. */
  readonly at: number;
}

/**
 * The headers of Standard Webhooks 1.0: HMAC-SHA256 over id, timestamp and body, once for each valid secret. Without a
 * secret there are no headers.
 */
export function signatureHeaders(
  { idempotencyKey, at, body }: Signed & { readonly body: Uint8Array },
  secrets: readonly string[],
): readonly Header[] {
  if (secrets.length === 0) return [];
  const timestamp = secondsOf(at);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', signingKey(secret)).update(`${idempotencyKey}.${timestamp}.`).update(body);
    return `${VERSION}${hmac.digest('base64')}`;
  });
  return [
    [ID, idempotencyKey],
    [TIMESTAMP, timestamp],
    [SIGNATURE, signatures.join(' ')],
  ];
}

/** Returns the signatures in these headers. */
export const signaturesIn = (headers: readonly Header[]): readonly string[] =>
  headers.flatMap(([name, value]) =>
    name === SIGNATURE ? value.split(' ').map((one) => one.slice(VERSION.length)) : [],
  );

/**
 * The signature headers as the delivery log shows them. They are masked, so that a reader of the log cannot send the
 * request again.
 */
export function maskedSignatureHeaders({ idempotencyKey, at }: Signed, signatures: number): readonly Header[] {
  if (signatures === 0) return [];
  return [
    [ID, idempotencyKey],
    [TIMESTAMP, secondsOf(at)],
    [SIGNATURE, Array.from({ length: signatures }, () => `${VERSION}***`).join(' ')],
  ];
}

const secondsOf = (millis: number) => String(Math.floor(millis / 1000));
