import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/**
 * Self-authenticating keys: `<kind>_<tenant>_<id>_<random>_<mac>`, where the MAC covers everything before it. A key
 * that this service has not issued is refused without reading a table. No part contains the separator.
 */
export interface KeyParts {
  /** The kind of access, such as `cv_live`. It may contain the separator, because it is known beforehand. */
  readonly kind: string;
  readonly tenant: string;
  /** Identifies the key in lists and tables; it is not secret. */
  readonly id: string;
}

export interface ProvenKey extends KeyParts {
  /** The hash under which the key is stored. The key cannot be recovered from it. */
  readonly hash: string;
}

/**
 * Server secrets by version, a digit or letter. New keys use the newest; older versions are accepted while they are listed.
 */
export type KeySecrets = Readonly<Record<string, string>>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PART = /^[a-z0-9-]{1,63}$/;
/** 256 bits in base 36 have at most 50 digits. */
const MAC_DIGITS = 50;
const KEY_CHARACTERS_MAX = 250;

/** Random letters and digits, 5.17 bits each. */
export function randomLetters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Returns the version that new keys are made with. */
export const newestVersion = (secrets: KeySecrets): string | undefined => Object.keys(secrets).toSorted().at(-1);

/** Issues a key: 24 random characters hold 124 bits. The key is shown once; only its hash is stored. */
export function newKey(
  { kind, tenant, id }: KeyParts,
  secrets: KeySecrets,
  random: string = randomLetters(24),
): { key: string; hash: string; secretVersion: string } {
  const version = newestVersion(secrets);
  const secret = version === undefined ? undefined : secrets[version];
  if (version === undefined || secret === undefined) throw new Error('There is no server secret to make keys with.');
  if (!PART.test(tenant) || !PART.test(id)) throw new Error('A part of a key has a character that keys do not take.');
  const said = `${kind}_${tenant}_${id}_${random}`;
  const key = `${said}_${version}${macOf(said, secret)}`;
  return { key, hash: keyHash(key), secretVersion: version };
}

/** Returns the key's parts if this service has issued it; undefined for any other text. */
export function provenKey(key: string, kinds: readonly string[], secrets: KeySecrets): ProvenKey | undefined {
  if (key.length > KEY_CHARACTERS_MAX) return undefined;
  const kind = kinds.find((one) => key.startsWith(`${one}_`));
  if (kind === undefined) return undefined;
  const [tenant = '', id = '', random = '', proof = '', ...more] = key.slice(kind.length + 1).split('_');
  if (more.length > 0 || !PART.test(tenant) || !PART.test(id) || random === '') return undefined;
  const version = proof.slice(0, 1);
  const secret = Object.hasOwn(secrets, version) ? secrets[version] : undefined;
  if (secret === undefined) return undefined;
  const expected = macOf(`${kind}_${tenant}_${id}_${random}`, secret);
  return isSame(proof.slice(1), expected) ? { kind, tenant, id, hash: keyHash(key) } : undefined;
}

/** 120 bits of the key's SHA-256: enough to tell keys of 124 random bits apart, and short where it is stored. */
export const keyHash = (key: string): string =>
  createHash('sha256').update(key).digest().subarray(0, 15).toString('base64url');

const macOf = (said: string, secret: string): string =>
  BigInt(`0x${createHmac('sha256', secret).update(said).digest('hex')}`)
    .toString(36)
    .padStart(MAC_DIGITS, '0');

/** Compares in a time that does not depend on where the texts differ. */
function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
