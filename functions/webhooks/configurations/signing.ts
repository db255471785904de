import * as z from 'zod';
import { isoTime } from '#shared/formats/timestamp';
import type { StoredSigningSecret } from './configuration.ts';

/** The signature of requests. The default is none, because the specification sends bodies unsigned. */
export const Signature = z.enum(['none', 'standard-webhooks']);
type Signature = z.output<typeof Signature>;

/** The time for which a replaced secret keeps signing. */
const OVERLAP_MILLIS = 24 * 3_600_000;
/**
 * The new secret and two previous ones: a caller repeats a rotation whose response was lost, and receivers that know
 * only the oldest secret still accept the requests.
 */
const SECRETS_MAX = 3;

type Secrets = readonly StoredSigningSecret[];

/** The secrets that sign an attempt at this time, newest first. */
export const validSecrets = (secrets: Secrets = [], now: number): Secrets =>
  secrets.filter(({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > now);

interface SigningChange {
  /** An absent signature changes nothing. */
  readonly signature: Signature | undefined;
  readonly stored: Secrets | undefined;
  /** The target URL gets another scheme, host or port. */
  readonly isMoved: boolean;
  /** Returns a new secret as ciphertext. */
  readonly sealNew: () => Promise<string>;
}

/**
 * The signing secrets after a save. Another server gets a new secret and no request signed with an old one: it could
 * replay such a request to the first server.
 */
export async function savedSigning({ signature, stored = [], isMoved, sealNew }: SigningChange): Promise<Secrets> {
  const isSigned = signature === undefined ? stored.length > 0 : signature === 'standard-webhooks';
  if (!isSigned) return [];
  return stored.length > 0 && !isMoved ? stored : [{ secret: await sealNew() }];
}

/** Adds a new secret; the previous ones keep signing for the overlap. */
export function rotated(stored: Secrets, sealed: string, now: number): Secrets {
  const endsAt = isoTime(now + OVERLAP_MILLIS);
  const previous = validSecrets(stored, now).map((one) => ({ endsAt, ...one }));
  return [{ secret: sealed }, ...previous].slice(0, SECRETS_MAX);
}

/** Keeps only the newest secret. */
export const withoutPrevious = (stored: Secrets): Secrets => stored.slice(0, 1);

/**
 * The signing as responses show it: whether requests are signed and when older secrets stop signing, never a secret.
 */
export function presentSigning(secrets: Secrets | undefined, now: number) {
  const ends = validSecrets(secrets, now).flatMap(({ endsAt }) => endsAt ?? []);
  const signature: Signature = secrets?.length ? 'standard-webhooks' : 'none';
  return {
    signature,
    signingSecretSet: signature !== 'none',
    previousSigningSecretEndsAt: ends.toSorted().at(-1) ?? null,
  };
}
