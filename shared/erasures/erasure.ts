import type { TenantKey } from '#shared/ids';

/** Prefixes of partition keys in the accounts table: an erasure, and the list of those that are under way. */
export const ERASURE = 'ERASURE#';
export const OPEN_ERASURES = 'OPEN_ERASURES';
/** Lists of the index `Listing`: the erasures of a tenant. */
export const ERASURES = 'ERASURES#';
export type ErasureKey = typeof ERASURE | typeof OPEN_ERASURES;

/** The domains that hold something of customers. Each erases its own part. */
export const ERASING_DOMAINS = ['accounts', 'places', 'images'] as const;
export type ErasingDomain = (typeof ERASING_DOMAINS)[number];

/** A customer of a tenant, of whom nothing but amounts is to stay. */
export interface Erasure extends TenantKey {
  /** Absent once the erasure is complete: then nothing leads from it to the customer. */
  readonly customer?: string | undefined;
  readonly requestedAt: string;
  /** When each domain has erased its part for the last time. */
  readonly erasedAt: Readonly<Partial<Record<ErasingDomain, string>>>;
  readonly completedAt?: string | undefined;
}

/** An erasure that is under way, and the customer whom it is about. */
export interface OpenErasure extends Erasure {
  readonly customer: string;
}

/**
 * A pass counts as the last one only if it begins so long after the request: by then every function that knew the customer
 * has ended, every cached customer has expired, and every index has followed its table.
 */
export const SETTLED_AFTER_MILLIS = 60 * 60_000;
