import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret of an app: 256 random bits. It is shown once and stored nowhere. */
export const newAppSecret = (): string => randomBytes(32).toString('base64url');

/** What is stored of a secret. A plain hash is enough: nobody tries out 256 random bits. */
export const appSecretHash = (secret: string): string => digestOf(secret).toString('base64url');

/** Whether this is the secret, in a time that does not depend on where it differs. */
export function isAppSecret(secret: string, hash: string): boolean {
  const stored = Buffer.from(hash, 'base64url');
  const stated = digestOf(secret);
  return stored.length === stated.length && timingSafeEqual(stored, stated);
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest();
