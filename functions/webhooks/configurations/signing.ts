import * as z from 'zod';
import { isoTime } from '#shared/timestamp';
import type { StoredSigningSecret } from './configuration.ts';

/** How requests are signed: not at all, unless asked (specification 001 sends bodies unsigned). */
export const Signature = z.enum(['none', 'standard-webhooks']);
type Signature = z.output<typeof Signature>;

/** For how long a secret still signs after another one has replaced it. */
const OVERLAP_MILLIS = 24 * 3_600_000;
/**
 * The new secret and two before it: a rotation whose answer was lost is followed by another, and receivers that know
 * only the oldest one still accept what they get.
 */
const SECRETS_MAX = 3;

type Secrets = readonly StoredSigningSecret[];

/** The secrets that sign an attempt at this time, the newest first. */
export const validSecrets = (secrets: Secrets = [], now: number): Secrets =>
  secrets.filter(({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > now);

interface SigningChange {
  /** Absent: as it is. */
  readonly stated: Signature | undefined;
  readonly stored: Secrets | undefined;
  /** The target URL gets another scheme, host or port. */
  readonly isMoved: boolean;
  /** Returns a new secret as ciphertext. */
  readonly sealNew: () => Promise<string>;
}

/**
 * The secrets after a save. Another server gets another secret, and none of the old ones: it could pass on to the first
 * server what was signed for it.
 */
export async function savedSigning({ stated, stored = [], isMoved, sealNew }: SigningChange): Promise<Secrets> {
  const isSigned = stated === undefined ? stored.length > 0 : stated === 'standard-webhooks';
  if (!isSigned) return [];
  return stored.length > 0 && !isMoved ? stored : [{ secret: await sealNew() }];
}

/** A new secret is added; those before it sign for a while yet. */
export function rotated(stored: Secrets, sealed: string, now: number): Secrets {
  const endsAt = isoTime(now + OVERLAP_MILLIS);
  const previous = validSecrets(stored, now).map((one) => ({ endsAt, ...one }));
  return [{ secret: sealed }, ...previous].slice(0, SECRETS_MAX);
}

/** Only the newest secret is left. */
export const withoutPrevious = (stored: Secrets): Secrets => stored.slice(0, 1);

/** Whether requests are signed, and until when older secrets sign them too; never a secret. */
export function presentSigning(secrets: Secrets | undefined, now: number) {
  const ends = validSecrets(secrets, now).flatMap(({ endsAt }) => endsAt ?? []);
  const signature: Signature = secrets?.length ? 'standard-webhooks' : 'none';
  return {
    signature,
    signingSecretSet: signature !== 'none',
    previousSigningSecretEndsAt: ends.toSorted().at(-1) ?? null,
  };
}
