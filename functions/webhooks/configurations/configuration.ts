import { noSuch } from '#shared/errors';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';

/** An API configuration as it is stored: the target of webhooks, their retries and their authentication. */
export interface Configuration {
  readonly id: string;
  readonly tenant: string;
  /** Unique within the tenant. */
  readonly name: string;
  readonly targetUrl: string;
  /** The time from the end of a failed attempt to the next one; 0 retries at once. */
  readonly retryIntervalSeconds: number;
  readonly retryTimeoutSeconds: number;
  /** The number of attempts, including the first one. */
  readonly maxAttempts: number;
  readonly description: string;
  readonly authentication: StoredAuthentication;
  /** The secrets that sign requests, newest first. Requests are not signed if there are none. */
  readonly signingSecrets?: readonly StoredSigningSecret[];
  /** A disabled configuration gets no runs, and its pending runs fail when they are due. */
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

/** `secret` is ciphertext in base64, like the secret of an authentication. */
export interface StoredSigningSecret {
  readonly secret: string;
  /** The secret was replaced and stops signing at this time. */
  readonly endsAt?: string | undefined;
}

/**
 * The owner of a secret. A ciphertext cannot be decrypted for another owner, so copying it to another tenant is
 * useless.
 */
export interface SecretOwner {
  readonly tenant: string;
  readonly configuration: string;
}

/** The decrypted secrets of one configuration. */
export interface ClearSecrets {
  /** Absent without authentication. */
  readonly authentication?: string;
  /** The secrets that sign the attempt, newest first. */
  readonly signing: readonly string[];
}

/** The only operation type so far. */
export const OPERATION_TYPE = 'Outbound API Integration' as const;

/** `in-use` comes with the number of rules that use the configuration. */
export type Removal =
  | { readonly kind: 'removed' | 'missing' }
  | { readonly kind: 'in-use'; readonly ruleCount: number };

export interface Configurations {
  add(configuration: Configuration): Promise<'added' | 'name-taken'>;
  byId(key: TenantKey): Promise<Configuration | undefined>;
  isNameTaken(tenant: string, name: string): Promise<boolean>;
  /**
   * Replaces the stored configuration with the result of `edit`, which is called again after a conflicting save and so
   * must be safe to repeat.
   */
  change(
    key: TenantKey,
    edit: (stored: Configuration) => Configuration | Promise<Configuration>,
  ): Promise<Configuration | 'missing' | 'name-taken'>;
  /** Removes a configuration that no rule uses. */
  remove(key: TenantKey): Promise<Removal>;
  list(tenant: string, page: PageQuery): Promise<Page<Configuration>>;
}

/** Returns the configuration, or throws a refusal if there is none. */
export async function configurationById(
  configurations: Pick<Configurations, 'byId'>,
  key: TenantKey,
): Promise<Configuration> {
  const configuration = await configurations.byId(key);
  if (!configuration) noSuch('API configuration');
  return configuration;
}
