import * as z from 'zod/mini';
import { Refusal } from '#shared/errors';
import { type KeySecrets, newestVersion } from './self-proving-key.ts';

/** Secrets by version, `{"1": "…"}`, as the text that Secrets Manager stores. */
export const KeySecretsText = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string): unknown => JSON.parse(text)),
  ),
  z.record(z.string().check(z.regex(/^[0-9a-z]$/)), z.string().check(z.minLength(32))),
);

/** The longest time until a function reads a secret again. */
export const CACHED_MILLIS = 10 * 60_000;
/** The age at which a version makes keys: every function has read it by then, with a minute for clocks that differ. */
const ISSUED_AFTER_MILLIS = CACHED_MILLIS + 60_000;
/** The age at which no function makes anything with an older version, with room for reads that failed. */
const SETTLED_MILLIS = 30 * 60_000;

export interface StoredSecrets {
  readonly secrets: KeySecrets;
  /** The time at which a version was last added or taken out, in milliseconds. */
  readonly changedAt: number;
}

/** The secrets that new keys and tokens are made with. */
export function issuingSecrets({ secrets, changedAt }: StoredSecrets, now: number): KeySecrets {
  const newest = newestVersion(secrets);
  const older = Object.entries(secrets).filter(([version]) => version !== newest);
  return now - changedAt < ISSUED_AFTER_MILLIS && older.length > 0 ? Object.fromEntries(older) : secrets;
}

/** A key, client or other stored credential that one version of a secret proves. */
export interface IssuedKey {
  /** The kind and id: `conversion key k1`. */
  readonly what: string;
  readonly tenant: string;
  readonly secretVersion: string;
}

/** The things made with the secrets of one purpose, such as keys. */
export interface IssuedWith {
  readonly keys: readonly IssuedKey[];
  /** The life of tokens that are stored nowhere. */
  readonly tokenSeconds?: number;
}

const VERSIONS = Array.from('123456789abcdefghijklmnopqrstuvwxyz');

/** The secrets with one version more, which makes keys eleven minutes later. */
export function withNewVersion(secrets: KeySecrets, secret: string): { version: string; secrets: KeySecrets } {
  const version = VERSIONS.find((one) => one > (newestVersion(secrets) ?? ''));
  if (version === undefined) throw new Refusal(409, 'no-version-left', 'There is no version after z.');
  return { version, secrets: { ...secrets, [version]: secret } };
}

/** The reasons why a version must stay, as sentences. Without any, it can be removed without an effect. */
export function needsOf(
  version: string,
  { stored: { secrets, changedAt }, issued, now }: { stored: StoredSecrets; issued: IssuedWith; now: number },
): string[] {
  if (!Object.hasOwn(secrets, version)) return [];
  if (version === newestVersion(secrets)) return [`Version ${version} is the newest: new keys are made with it.`];
  const keys = issued.keys
    .filter(({ secretVersion }) => secretVersion === version)
    .map(({ what, tenant }) => `${what} of ${tenant}`);
  const until = changedAt + SETTLED_MILLIS + (issued.tokenSeconds ?? 0) * 1_000;
  if (now >= until) return keys;
  const subject = issued.tokenSeconds === undefined ? 'Keys' : 'Keys or tokens';
  return [...keys, `${subject} made with version ${version} may be in use until ${new Date(until).toISOString()}.`];
}

/** The secrets without a version. Refused while anything needs it. */
export function withoutVersion(secrets: KeySecrets, version: string, needs: readonly string[]): KeySecrets {
  if (!Object.hasOwn(secrets, version)) throw new Refusal(404, 'not-found', `There is no version ${version}.`);
  if (needs.length > 0) {
    throw new Refusal(409, 'version-needed', `Version ${version} is needed:\n  ${needs.join('\n  ')}`);
  }
  return Object.fromEntries(Object.entries(secrets).filter(([one]) => one !== version));
}
