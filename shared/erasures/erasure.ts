/**
 * The erasure of a customer or of a whole account, from the request to its end:
 * 1. A DELETE of the customer (`accounts/customers/`) or of a suspended account (`accounts/tenants/erase-account.ts`) removes
 *    the profile, and adds the erasure to the list of open ones (`newErasureWrites`), in one transaction.
 * 2. Every hour, each domain's `erasure/*.handler.ts` runs its part of all open erasures (`run-open-erasures.ts`). Of a
 *    customer it erases what the domain knows by the customer's id; of an account it scans the table of the domain and
 *    removes every item of the tenant (`erase-tenant.ts`; `stored-kinds.ts` of the domain says whose an item is).
 * 3. A pass that begins an hour after the request is the domain's last one (`isSettled`), and is noted (`noteErased`).
 * 4. When every domain has noted its last pass, `accounts/erasure/complete-erasures.ts` completes the erasure.
 */
import type { TenantKey } from '#shared/ids';

/** Prefixes of partition keys in the accounts table: an erasure, and the list of open ones. */
export const ERASURE = 'ERASURE#';
export const OPEN_ERASURES = 'OPEN_ERASURES';
/** Lists of the index `Listing`: the erasures of a tenant. */
export const ERASURES = 'ERASURES#';
export type ErasureKey = typeof ERASURE | typeof OPEN_ERASURES;

/** The domains that store data of a customer or of an account. Each erases its own part. */
export const ERASING_DOMAINS = {
  customer: ['accounts', 'places', 'images'],
  account: ['accounts', 'records', 'webhooks', 'conversions', 'places', 'images'],
} as const;
export type ErasureSubject = keyof typeof ERASING_DOMAINS;
export type ErasingDomain = (typeof ERASING_DOMAINS)[ErasureSubject][number];

/** The erasure of a customer, of whom only amounts remain, or of the tenant's whole account. */
export interface Erasure extends TenantKey {
  readonly subject: ErasureSubject;
  /** Absent once the erasure is complete: then nothing leads from it to the customer. */
  readonly customer?: string | undefined;
  readonly requestedAt: string;
  /** The times when each domain has erased its part for the last time. */
  readonly erasedAt: Readonly<Partial<Record<ErasingDomain, string>>>;
  readonly completedAt?: string | undefined;
}

/** An open erasure of a customer. */
export interface OpenErasure extends Erasure {
  readonly subject: 'customer';
  readonly customer: string;
}

/** An open erasure of a whole account. */
export interface OpenAccountErasure extends Erasure {
  readonly subject: 'account';
}

/**
 * A pass that begins this long after the request is the last one: by then every function that knew the customer or the
 * account has ended, all caches have expired, and all indexes have caught up.
 */
const SETTLED_AFTER_MILLIS = 60 * 60_000;

export const isSettled = ({ requestedAt }: Pick<Erasure, 'requestedAt'>, now: number): boolean =>
  now - Date.parse(requestedAt) >= SETTLED_AFTER_MILLIS;
