import type { Scope } from './management-scope.ts';

/** How the partition key of a management key's item in the accounts table begins. */
export const MANAGEMENT_KEY = 'MANAGEMENT_KEY#';
export type ManagementKeyKey = typeof MANAGEMENT_KEY;

/** How management keys begin: `mk_<tenant>_<id>_…`. */
export const MANAGEMENT_KEY_KIND = 'mk';

/** What is stored of a key. */
export interface KnownManagementKey {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** Of the whole key. */
  readonly hash: string;
  readonly revokedAt?: string;
}

/** Where keys are found. */
export interface KnownManagementKeys {
  byId(id: string): Promise<KnownManagementKey | undefined>;
}
