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
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `secret` is ciphertext in base64. Only the sender can decrypt it, and nobody else ever gets it back. */
export type StoredAuthentication =
  | { readonly type: 'none' }
  | { readonly type: 'apiKey'; readonly headerName: string; readonly secret: string }
  | { readonly type: 'bearer'; readonly secret: string }
  | { readonly type: 'basic'; readonly username: string; readonly secret: string };

/** All there is so far. */
export const OPERATION_TYPE = 'Outbound API Integration';

export interface Configurations {
  add(configuration: Configuration): Promise<'added' | 'name-taken'>;
  byId(key: TenantKey): Promise<Configuration | undefined>;
  /**
   * Puts what `edit` makes of the stored one in its place. It is asked again when somebody else was quicker, so it must
   * bear repetition.
   */
  change(
    key: TenantKey,
    edit: (stored: Configuration) => Configuration,
  ): Promise<Configuration | 'missing' | 'name-taken'>;
  /** False if the tenant has none of this id. */
  remove(key: TenantKey): Promise<boolean>;
  list(tenant: string, page: PageQuery): Promise<Page<Configuration>>;
}
