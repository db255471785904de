import { Refusal } from '#shared/errors';
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
  /** Those that sign requests, the newest first. Absent or empty: requests are not signed. */
  readonly signingSecrets?: readonly StoredSigningSecret[];
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

/** `secret` is ciphertext in base64, as that of an authentication is. */
export interface StoredSigningSecret {
  readonly secret: string;
  /** It was replaced, and signs until then. */
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

/** The secrets of one configuration in clear. */
export interface ClearSecrets {
  /** Absent where there is no authentication. */
  readonly authentication?: string;
  /** Those that sign the attempt, the newest first. */
  readonly signing: readonly string[];
}

/** The only type so far. */
export const OPERATION_TYPE = 'Outbound API Integration';

/** `in-use`: that many rules name it. */
export type Removal =
  | { readonly kind: 'removed' | 'missing' }
  | { readonly kind: 'in-use'; readonly ruleCount: number };

export interface Configurations {
  add(configuration: Configuration): Promise<'added' | 'name-taken'>;
  byId(key: TenantKey): Promise<Configuration | undefined>;
  isNameTaken(tenant: string, name: string): Promise<boolean>;
  /**
   * Replaces the stored one with the result of `edit`, which is called again after a conflicting save and so must be
   * safe to repeat.
   */
  change(
    key: TenantKey,
    edit: (stored: Configuration) => Configuration | Promise<Configuration>,
  ): Promise<Configuration | 'missing' | 'name-taken'>;
  /** Only while no rule names it. */
  remove(key: TenantKey): Promise<Removal>;
  list(tenant: string, page: PageQuery): Promise<Page<Configuration>>;
}

/** The configuration, or a refusal. */
export async function configurationById(
  configurations: Pick<Configurations, 'byId'>,
  key: TenantKey,
): Promise<Configuration> {
  const configuration = await configurations.byId(key);
  if (!configuration) throw missingConfiguration();
  return configuration;
}

export const missingConfiguration = () => new Refusal(404, 'not-found', 'There is no such API configuration.');
