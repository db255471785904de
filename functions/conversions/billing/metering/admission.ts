import { highestAdmitted, opensAt, retryAfterSeconds } from '#shared/metering/bucket';
import { bucketOf, type MeterItem, type Mode, quotaOf } from '../balances/account.ts';

/** Who calls: proven by a MAC or by a signature, still to be found among the credentials of the account. */
export interface Caller {
  readonly tenant: string;
  readonly mode: Mode;
  readonly credentialId: string;
  /** Of what the caller presents; absent for an access token, whose signature is its proof. */
  readonly hash?: string;
}

/** What is taken from an account: always a token, and on the metered routes one conversion too. */
export interface Spend {
  readonly caller: Caller;
  readonly counts: boolean;
}

/** A conversion that is counted already, and may be given back. */
export interface Reservation {
  readonly tenant: string;
  /** The attribute that counted it. */
  readonly counter: string;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly item: MeterItem; readonly reservation?: Reservation }
  | { readonly kind: 'unknown-credential' }
  | { readonly kind: 'rate-limited'; readonly item: MeterItem; readonly retryAfterSeconds: number }
  | { readonly kind: 'quota-exceeded'; readonly item: MeterItem };

/** Why the one conditional write was refused, read from the item that refused it. */
export type Obstacle =
  | { readonly kind: 'unknown-credential' | 'changed-limits' | 'ended-period' | 'quota' | 'wrong-branch' }
  | { readonly kind: 'rate'; readonly opensAt: number; readonly retryAfterSeconds: number };

export interface Attempted extends Spend {
  /** The version of the limits that the attempt was made with. */
  readonly version: number;
  readonly now: number;
}

/** In this order: what is said of the rate is right only for the limits that are in force. */
export function obstacleTo({ caller, counts, version, now }: Attempted, item: MeterItem | undefined): Obstacle {
  if (!item || !holds(item, caller)) return { kind: 'unknown-credential' };
  if (item.pv !== version) return { kind: 'changed-limits' };
  if (item.vu <= now) return { kind: 'ended-period' };
  const bucket = bucketOf(item);
  if (item.tat > highestAdmitted(bucket, now)) {
    return {
      kind: 'rate',
      opensAt: opensAt(bucket, item.tat),
      retryAfterSeconds: retryAfterSeconds(bucket, item.tat, now),
    };
  }
  const { most, used } = quotaOf(item, caller.mode);
  return { kind: counts && used >= most ? 'quota' : 'wrong-branch' };
}

/** Ids of credentials that are items of their own begin with this letter. */
export const OUTSIDE = 'x';
export const isOutside = (credentialId: string): boolean => credentialId.startsWith(OUTSIDE);

/** Whether the account has this credential. One kept outside of the item was looked up before. */
function holds({ ks }: MeterItem, { credentialId, hash }: Caller): boolean {
  if (isOutside(credentialId)) return true;
  const known = Object.hasOwn(ks, credentialId) ? ks[credentialId] : undefined;
  return known?.s === 'A' && (hash === undefined || known.h === hash);
}
