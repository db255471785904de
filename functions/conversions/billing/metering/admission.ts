import { highestAdmitted, opensAt, retryAfterSeconds } from '#shared/metering/token-bucket';
import { type Account, bucketOf, type Mode, quotaOf } from '../balances/account.ts';

/** The caller, verified by a MAC or a signature, but not yet looked up among the credentials of the account. */
export interface Caller {
  readonly tenant: string;
  readonly mode: Mode;
  readonly credentialId: string;
  /** The hash of the presented secret; absent for an access token, which is verified by its signature. */
  readonly hash?: string;
}

/** The request's cost: a token, and on the metered routes one conversion. */
export interface Spend {
  readonly caller: Caller;
  readonly counts: boolean;
}

/** A counted conversion, which may be given back. */
export interface Reservation {
  readonly tenant: string;
  /** The counter that it was taken from. */
  readonly counter: string;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly item: Account; readonly reservation?: Reservation }
  | { readonly kind: 'unknown-credential' }
  | { readonly kind: 'rate-limited'; readonly item: Account; readonly retryAfterSeconds: number }
  | { readonly kind: 'quota-exceeded'; readonly item: Account };

/** The reasons for which the conditional write can fail, read from the item that refused it. */
export type Obstacle =
  | { readonly kind: 'unknown-credential' | 'changed-limits' | 'ended-period' | 'quota' | 'wrong-branch' }
  | { readonly kind: 'rate'; readonly opensAt: number; readonly retryAfterSeconds: number };

export interface Attempt extends Spend {
  /** The version of the limits that the attempt was made with. */
  readonly version: number;
  readonly now: number;
}

/** Finds the reason. The order matters: a statement about the rate is right only for the limits that are in force. */
export function obstacleTo({ caller, counts, version, now }: Attempt, item: Account | undefined): Obstacle {
  if (!item || !hasCredential(item, caller)) return { kind: 'unknown-credential' };
  if (item.version !== version) return { kind: 'changed-limits' };
  if (item.validUntil <= now) return { kind: 'ended-period' };
  const bucket = bucketOf(item);
  if (item.arrival > highestAdmitted(bucket, now)) {
    return {
      kind: 'rate',
      opensAt: opensAt(bucket, item.arrival),
      retryAfterSeconds: retryAfterSeconds(bucket, item.arrival, now),
    };
  }
  const { hardLimit, used } = quotaOf(item, caller.mode);
  return { kind: counts && used >= hardLimit ? 'quota' : 'wrong-branch' };
}

/** The first letter of the ids of credentials that are items of their own. */
export const OUTSIDE = 'x';
export const isOutside = (credentialId: string): boolean => credentialId.startsWith(OUTSIDE);

/** Returns whether the account has this credential. A credential outside of the item was looked up before. */
function hasCredential({ credentials }: Account, { credentialId, hash }: Caller): boolean {
  if (isOutside(credentialId)) return true;
  const credential = Object.hasOwn(credentials, credentialId) ? credentials[credentialId] : undefined;
  return credential?.state === 'active' && (hash === undefined || credential.hash === hash);
}
