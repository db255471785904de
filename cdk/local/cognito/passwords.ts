/** Passwords of a user pool: what its policy asks for, and hashes that cannot be turned back. */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

export interface PasswordPolicy {
  readonly minimumLength: number;
  readonly requireLowercase: boolean;
  readonly requireUppercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
}

/** The symbols of Cognito. A space counts unless it is first or last. */
const SYMBOLS = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+-]|\S +\S/;

/** Returns what a password lacks, in Cognito's words; undefined for a good one. */
export function passwordFault(password: string, policy: PasswordPolicy): string | undefined {
  if (password.length < policy.minimumLength) return 'Password not long enough';
  if (policy.requireLowercase && !/[a-z]/.test(password)) return 'Password must have lowercase characters';
  if (policy.requireUppercase && !/[A-Z]/.test(password)) return 'Password must have uppercase characters';
  if (policy.requireNumbers && !/\d/.test(password)) return 'Password must have numeric characters';
  if (policy.requireSymbols && !SYMBOLS.test(password)) return 'Password must have symbol characters';
  return undefined;
}

/**
 * The cost of hashing a password. Someone who steals a pool's file must not be able to guess passwords; a pool that is
 * only in memory has no file.
 */
export const COST = { stored: 16_384, inMemory: 2 } as const;

/** `salt:hash`, both in base64. */
export function hashPassword(password: string, cost: number): string {
  const salt = randomBytes(16);
  return `${salt.toString('base64')}:${scryptSync(password, salt, 32, { N: cost }).toString('base64')}`;
}

export function isPassword(password: string, hashed: string, cost: number): boolean {
  const [salt = '', hash = ''] = hashed.split(':');
  const candidate = scryptSync(password, Buffer.from(salt, 'base64'), 32, { N: cost });
  return timingSafeEqual(candidate, Buffer.from(hash, 'base64'));
}
