import { LRUCache } from 'lru-cache';

/** What an operator has decided about a tenant's account. */
export interface AccountStatus {
  /** False while it is suspended: its credentials are refused, and its webhooks wait. */
  readonly active: boolean;
  /** False while its webhooks are switched off: none are made, and those that were made wait. */
  readonly apiIntegration: boolean;
  /** When its webhooks last went on after a pause, in milliseconds. */
  readonly deliveriesResumedAt?: number | undefined;
}

/** The status of a tenant, at most half a minute old. @param now milliseconds */
export type StatusOf = (tenant: string, now: number) => Promise<AccountStatus>;

/** The status of a tenant that nobody has restricted, and of one without an account. */
export const UNRESTRICTED: AccountStatus = { active: true, apiIntegration: true };

/** With the gateway's cache of identities, which has 60 s, nothing takes longer than a minute to be effective. */
const CACHED_MILLIS = 30_000;
const TENANTS_MAX = 10_000;

/** What is said to a person or program of a suspended account, on every interface. */
export const SUSPENDED = 'The account is suspended. Contact the operator of the service.';

export interface StatusOptions {
  /** How long a status is used without reading it again. @default half a minute */
  readonly millis?: number;
  /** The status of a tenant that cannot be read and never was. @default the call fails */
  readonly whenUnreadable?: AccountStatus;
}

/** Caches statuses. While one cannot be read again, the last one stays in force. */
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
