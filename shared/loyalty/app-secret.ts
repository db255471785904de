import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret of an app, with 256 random bits. It is shown once and never stored. */
export const newAppSecret = (): string => randomBytes(32).toString('base64url');

/** The stored hash of a secret. A plain hash is enough, because nobody can guess 256 random bits. */
export const appSecretHash = (secret: string): string => digestOf(secret).toString('base64url');

/** Compares a secret with its hash in constant time. */
export function isAppSecret(secret: string, hash: string): boolean {
  const stored = Buffer.from(hash, 'base64url');
  const digest = digestOf(secret);
  return stored.length === digest.length && timingSafeEqual(stored, digest);
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest();
