import { LRUCache } from 'lru-cache';
import type { Branch } from '#shared/metering/bucket-write';
import { retryAfterSeconds } from '#shared/metering/token-bucket';
import { type Account, bucketOf, type Mode } from '../balances/account.ts';

const ACCOUNTS_MAX = 10_000;
/** The longest time for which this function may be unaware of a change of limits that another function made. */
const DENIED_MICROS_MAX = 5_000_000;
/** The longest time for which an exhausted quota is cached: refunds and raised caps free conversions at any time. */
const QUOTA_DENIED_MICROS = 1_000_000;
const BACKOFF_MICROS_MAX = 100_000;

/** The cached state of an account: its item as last seen, and until when it certainly refuses. */
interface CachedAccount {
  item: Account;
  /** The recent share of requests that found the bucket in use, 0 to 1. */
  busy: number;
  /** The time until which the bucket refuses, and the later time until which metered calls are held back. */
  opensAt: number;
  deniedUntil: number;
  quotaDeniedUntil: Record<Mode, number>;
  /** The number of consecutive denials. */
  denials: number;
}

/** Certain refusals, which make no call to the table. */
export type KnownRefusal =
  | { readonly kind: 'rate'; readonly item: Account; readonly retryAfterSeconds: number }
  | { readonly kind: 'quota'; readonly item: Account };

/**
 * The accounts that one function caches. Within one version of the limits a bucket's arrival time only grows, so a
 * refusal from the cache is one that the table would give too.
 */
export class AccountCache {
  private readonly accounts = new LRUCache<string, CachedAccount>({ max: ACCOUNTS_MAX });
  private readonly random: () => number;

  /** @param random spreads the retries of functions that wait for the same token */
  constructor(random: () => number = Math.random) {
    this.random = random;
  }

  itemOf(tenant: string): Account | undefined {
    return this.accounts.get(tenant)?.item;
  }

  /** Caches the item. */
  saw(tenant: string, item: Account): void {
    const entry = this.accounts.get(tenant);
    if (!entry) {
      const quotaDeniedUntil = { live: 0, test: 0 };
      this.accounts.set(tenant, { item, busy: 0, opensAt: 0, deniedUntil: 0, quotaDeniedUntil, denials: 0 });
      return;
    }
    // Answers may arrive out of order: within a version the later one has the later arrival time.
    if (item.version < entry.item.version || (item.version === entry.item.version && item.arrival < entry.item.arrival))
      return;
    if (item.version > entry.item.version) {
      entry.opensAt = 0;
      entry.deniedUntil = 0;
      entry.quotaDeniedUntil = { live: 0, test: 0 };
    }
    entry.item = item;
  }

  forget(tenant: string): void {
    this.accounts.delete(tenant);
  }

  /** The branch that the next write most likely needs. */
  guess(tenant: string, now: number): Branch {
    const entry = this.accounts.get(tenant);
    return entry && (entry.item.arrival > now || entry.busy > 0.5) ? 'busy' : 'idle';
  }

  admitted(tenant: string, branch: Branch): void {
    const entry = this.accounts.get(tenant);
    if (!entry) return;
    entry.busy = 0.8 * entry.busy + (branch === 'busy' ? 0.2 : 0);
    entry.denials = 0;
  }

  /**
   * Records that the bucket refuses until this time. Callers that are refused again and again are held back a little
   * longer.
   */
  deniedByRate(tenant: string, opensAt: number, now: number): void {
    const entry = this.accounts.get(tenant);
    if (!entry) return;
    const backoff = entry.denials === 0 ? 0 : Math.min(BACKOFF_MICROS_MAX, entry.item.tokenMicros * 2 ** entry.denials);
    entry.denials = Math.min(entry.denials + 1, 20);
    // The backoff never exceeds the wait that the caller was given.
    const promised = now + Math.max(1, Math.ceil((opensAt - now) / 1_000_000)) * 1_000_000;
    const until = Math.min(opensAt + Math.floor(this.random() * backoff), promised);
    entry.opensAt = Math.min(opensAt, now + DENIED_MICROS_MAX);
    entry.deniedUntil = Math.min(until, now + DENIED_MICROS_MAX);
  }

  deniedByQuota(tenant: string, mode: Mode, now: number): void {
    const entry = this.accounts.get(tenant);
    if (entry) entry.quotaDeniedUntil[mode] = Math.min(now + QUOTA_DENIED_MICROS, entry.item.validUntil);
  }

  /** @param counts whether the request needs a conversion besides the token */
  refusal(tenant: string, { mode, counts }: { mode: Mode; counts: boolean }, now: number): KnownRefusal | undefined {
    const entry = this.accounts.get(tenant);
    if (!entry || entry.item.validUntil <= now) return undefined;
    const { item } = entry;
    const until = counts ? entry.deniedUntil : entry.opensAt;
    if (until > now) {
      const held = Math.ceil((until - now) / 1_000_000);
      return {
        kind: 'rate',
        item,
        retryAfterSeconds: Math.max(held, retryAfterSeconds(bucketOf(item), item.arrival, now)),
      };
    }
    return counts && entry.quotaDeniedUntil[mode] > now ? { kind: 'quota', item } : undefined;
  }
}
