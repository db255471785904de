import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';

/** An API configuration as it is stored: where webhooks go, how they are retried, how they authenticate. */
export interface Configuration {
  readonly id: string;
  readonly tenant: string;
  /** Unique within the tenant. */
  readonly name: string;
  readonly targetUrl: string;
  /** From the end of a failed attempt to the next one; 0 is at once. */
  readonly retryIntervalSeconds: number;
  readonly retryTimeoutSeconds: number;
  /** The first one included. */
  readonly maxAttempts: number;
  readonly description: string;
  readonly authentication: StoredAuthentication;
  /** While false, events make no runs through it, and runs that come due fail. */
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `secret` is ciphertext in base64. Only the sender can decrypt it, and no answer ever returns it. */
export type StoredAuthentication =
  | { readonly type: 'none' }
  | { readonly type: 'apiKey'; readonly headerName: string; readonly secret: string }
  | { readonly type: 'bearer'; readonly secret: string }
  | { readonly type: 'basic'; readonly username: string; readonly secret: string };

/** The only type so far. */
export const OPERATION_TYPE = 'Outbound API Integration';

/** `in-use`: that many rules name it. */
export type Removal =
  | { readonly kind: 'removed' | 'missing' }
  | { readonly kind: 'in-use'; readonly ruleCount: number };

export interface Configurations {
  add(configuration: Configuration): Promise<'added' | 'name-taken'>;
  byId(key: TenantKey): Promise<Configuration | undefined>;
  /**
   * Replaces the stored one with the result of `edit`, which is called again after a conflicting save and so must be
   * safe to repeat.
   */
  change(
    key: TenantKey,
    edit: (stored: Configuration) => Configuration,
  ): Promise<Configuration | 'missing' | 'name-taken'>;
  /** Only while no rule names it. */
  remove(key: TenantKey): Promise<Removal>;
  list(tenant: string, page: PageQuery): Promise<Page<Configuration>>;
}
