import type { Scope } from './management-scope.ts';

/** How the partition key of a management key's item in the accounts table begins. */
export const MANAGEMENT_KEY = 'MANAGEMENT_KEY#';
export type ManagementKeyKey = typeof MANAGEMENT_KEY;

/** How management keys begin: `mk_<tenant>_<id>_…`. */
export const MANAGEMENT_KEY_KIND = 'mk';

/** What is stored of a key. */
export interface KnownManagementKey {
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Of the whole key. */
  readonly hash: string;
  readonly revokedAt?: string | undefined;
  /** From this moment on the key is refused. */
  readonly expiresAt?: string | undefined;
  /** The last use that was noted; see `needsNoting`. */
  readonly lastUsedAt?: string | undefined;
}

const NOTED_MILLIS = 3_600_000;

/** Whether a use must be noted: at most once an hour, so a key in steady use costs no write a call. */
export const needsNoting = ({ lastUsedAt }: Pick<KnownManagementKey, 'lastUsedAt'>, now: number): boolean =>
  lastUsedAt === undefined || now - Date.parse(lastUsedAt) >= NOTED_MILLIS;

/** Where keys are found. */
export interface KnownManagementKeys {
  byId(id: string): Promise<KnownManagementKey | undefined>;
  /** Notes a use of a key whose last use is still the one that was read. */
  noteUse(id: string, known: Pick<KnownManagementKey, 'lastUsedAt'>, now: number): Promise<void>;
}
