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

/**
 * The reason why the meter's conditional write failed, read from the item. `bucket-state-changed`: nothing is against
 * the call, but the write assumed a full bucket that is in use, or the reverse; it is made again.
 */
export type RefusalReason =
  | { readonly kind: 'unknown-credential' | 'changed-limits' | 'ended-period' | 'quota' | 'bucket-state-changed' }
  | { readonly kind: 'rate'; readonly opensAt: number; readonly retryAfterSeconds: number };

/** One try of the meter to count a call. */
export interface MeterWrite extends Spend {
  /** The version of the limits that the write was made for. */
  readonly version: number;
  readonly now: number;
}

/**
 * Returns why the write was refused. Beyond the quota a live call is overage and counts until the hard limit (`quotaOf` in
 * `balances/account.ts`, set by `limitsOf` in `subscriptions/subscription.ts`). The order matters: the rate is judged by the
 * limits that are in force.
 */
export function refusalReason({ caller, counts, version, now }: MeterWrite, item: Account | undefined): RefusalReason {
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
  return { kind: counts && used >= hardLimit ? 'quota' : 'bucket-state-changed' };
}

/** The first letter of the ids of credentials that do not fit into the account's item, and are items of their own. */
export const OVERFLOW_PREFIX = 'x';
export const isOverflowId = (credentialId: string): boolean => credentialId.startsWith(OVERFLOW_PREFIX);

/** Returns whether the account has this credential. An overflow credential was looked up before. */
function hasCredential({ credentials }: Account, { credentialId, hash }: Caller): boolean {
  if (isOverflowId(credentialId)) return true;
  const credential = Object.hasOwn(credentials, credentialId) ? credentials[credentialId] : undefined;
  return credential?.state === 'active' && (hash === undefined || credential.hash === hash);
}
