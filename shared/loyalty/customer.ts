import type { TenantKey } from '#shared/ids';

/** The prefix of the partition key of a customer's item in the accounts table. */
export const CUSTOMER = 'CUSTOMER#';
/** The prefix of items that lead from a customer's external id to the customer. */
export const EXTERNAL = 'EXTERNAL#';
/** The prefix of a customer's ledger of points and its balance. */
export const POINTS = 'POINTS#';
/** The list of the check-ins at a place, which are entries of ledgers. */
export const CHECK_INS = 'CHECK_INS#';
export type CustomerKey = typeof CUSTOMER | typeof EXTERNAL | typeof POINTS;

/** The members of a registered customer that the loyalty interfaces need. */
export interface KnownCustomer {
  readonly id: string;
  readonly externalId?: string;
}

/** Finds customers. */
export interface KnownCustomers {
  byId(key: TenantKey): Promise<KnownCustomer | undefined>;
  byExternalId(tenant: string, externalId: string): Promise<KnownCustomer | undefined>;
  /** An anonymous customer; undefined if it was erased while its token would still be valid. */
  anonymous(key: TenantKey): Promise<KnownCustomer | undefined>;
}

export const CUSTOMER_ID_CHARACTERS_MAX = 100;
export const EXTERNAL_ID_CHARACTERS_MAX = 200;
