import type { TenantKey } from '#shared/ids';

/** How the partition key of a customer's item in the accounts table begins. */
export const CUSTOMER = 'CUSTOMER#';
/** Leads from the name that an outside system has given a customer to the customer. */
export const EXTERNAL = 'EXTERNAL#';
/** The ledger of a customer's points, and its balance. */
export const POINTS = 'POINTS#';
export type CustomerKey = typeof CUSTOMER | typeof EXTERNAL | typeof POINTS;

/** What the loyalty interfaces know of a registered customer. */
export interface KnownCustomer {
  readonly id: string;
  readonly externalId?: string;
}

/** Where customers are found. */
export interface KnownCustomers {
  byId(key: TenantKey): Promise<KnownCustomer | undefined>;
  byExternalId(tenant: string, externalId: string): Promise<KnownCustomer | undefined>;
  /** An anonymous customer: undefined if it was erased, for as long as its token would be good. */
  anonymous(key: TenantKey): Promise<KnownCustomer | undefined>;
}

export const CUSTOMER_ID_CHARACTERS_MAX = 100;
export const EXTERNAL_ID_CHARACTERS_MAX = 200;
