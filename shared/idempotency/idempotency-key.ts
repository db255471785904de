import { createHash } from 'node:crypto';
import { numberText } from '#shared/formats/exact-json';

/** The scope of a key: the same text is another key for another account, caller, method or path. */
export interface KeyScope {
  readonly tenant: string;
  /** The mode of a call of `/v1`; elsewhere the credential. */
  readonly caller: string;
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

/** The id of the stored answer, from which the caller's key cannot be read. */
export const answerName = ({ tenant, caller, method, path }: KeyScope, key: string): string =>
  `${tenant}#${digest(JSON.stringify([caller, method, path, key]))}`;

/** Part of the fingerprint. The data version is not: a repeat after a deployment still gets its first answer. */
const API_VERSION = 'v1';

/**
 * Equal for two bodies that mean the same JSON, whatever their spacing and order. Numbers are compared by all their
 * digits, beyond those that JavaScript keeps, because answers repeat them.
 * @param body within the bounds of `readJson`
 */
export const fingerprint = (body: unknown): string => digest(`${API_VERSION} json ${canonical(body)}`);

/** The fingerprint of a body that is not JSON within bounds: that of its text. */
export const textFingerprint = (text: string): string => digest(`${API_VERSION} text ${text}`);

function canonical(value: unknown): string {
  const number = numberText(value);
  if (number !== undefined) return number;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
