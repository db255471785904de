import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** What one key stands for: the same text is another key for another account, mode, method or path. */
export interface KeyScope {
  readonly tenant: string;
  readonly mode: string;
  readonly method: string;
  readonly path: string;
}

const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key in `Idempotency-Key`: a string as in RFC 9651, or a bare token, of 1 to 255 visible characters
 * (draft-ietf-httpapi-idempotency-key-header-07). Undefined for anything else.
 */
export function keyIn(header: string): string | undefined {
  const quoted = QUOTED.exec(header.trim())?.[1]?.replaceAll(/\\(["\\])/g, '$1');
  const key = quoted ?? header.trim();
  return VISIBLE.test(key) && (quoted !== undefined || !/["\\]/.test(key)) ? key : undefined;
}

/** Names the stored answer, without showing the caller's key. */
export const answerName = ({ tenant, mode, method, path }: KeyScope, key: string): string =>
  `${tenant}#${digest(JSON.stringify([mode, method, path, key]))}`;

/** The same for two bodies that mean the same JSON, however they are written. @param body parsed, or the text if it is no JSON */
export const fingerprint = (body: unknown, apiVersion: string): string =>
  digest(JSON.stringify([apiVersion, typeof body === 'string' ? body : (canonicalize(body) ?? null)]));

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
