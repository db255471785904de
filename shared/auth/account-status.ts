import { LRUCache } from 'lru-cache';

/** The restrictions that an operator has set on a tenant's account. */
export interface AccountStatus {
  /** False while the account is suspended: its credentials are refused, and its webhooks wait. */
  readonly active: boolean;
  /** False while its webhooks are switched off: no new ones are made, and pending ones wait. */
  readonly apiIntegration: boolean;
  /** The time at which its webhooks last resumed after a pause, in milliseconds. */
  readonly deliveriesResumedAt?: number | undefined;
  /** The origins whose scripts may read answers to the account's credentials. @default none */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** The status of a tenant, at most half a minute old. @param now milliseconds */
export type StatusOf = (tenant: string, now: number) => Promise<AccountStatus>;

/** The status of a tenant without restrictions, and of one without an account. */
export const UNRESTRICTED: AccountStatus = { active: true, apiIntegration: true };

/** The lifetime of a cached status: a change takes effect within a minute. */
const CACHED_MILLIS = 30_000;
const TENANTS_MAX = 10_000;

/** The error for callers of a suspended account, the same on every interface. */
export const SUSPENDED = 'The account is suspended. Contact the operator of the service.';

export interface StatusOptions {
  /** The time for which a cached status is used. @default half a minute */
  readonly millis?: number;
  /** The status of a tenant whose status has never been read and cannot be read now. @default the call fails */
  readonly whenUnreadable?: AccountStatus;
}

/** Caches statuses. While a status cannot be read again, the last one stays in force. */
export function cachedStatus(
  read: (tenant: string) => Promise<AccountStatus>,
  { whenUnreadable, millis = CACHED_MILLIS }: StatusOptions = {},
): StatusOf {
  const cache = new LRUCache<string, { readonly status: AccountStatus; readonly until: number }>({ max: TENANTS_MAX });
  return async (tenant, now) => {
    const cached = cache.get(tenant);
    if (cached && cached.until > now) return cached.status;
    const status = await read(tenant).catch((error: unknown) => {
      const last = cached?.status ?? whenUnreadable;
      if (!last) throw error;
      return last;
    });
    cache.set(tenant, { status, until: now + millis });
    return status;
  };
}
