import type { QuotaKey } from '#shared/quotas/quotas';

/**
 * Prefixes of partition keys in the webhooks table. Adapters build keys from them, and constructs grant access by them.
 */
export const CONFIGURATION = 'CONFIGURATION#';
/** Reserves a name for one configuration of a tenant. */
export const CONFIGURATION_NAME = 'CONFIGURATION_NAME#';
/** The number of rules that use a configuration. */
export const CONFIGURATION_RULES = 'CONFIGURATION_RULES#';
/** The tests of configurations that a tenant has made in a minute. */
export const CONFIGURATION_TESTS = 'CONFIGURATION_TESTS#';
export const RULE = 'RULE#';
/** The rules that an event fires. */
export const MATCH = 'MATCH#';
/** A run, its payload and its attempts. */
export const RUN = 'RUN#';
/** The load of one configuration's endpoint, with its slots. */
export const LOAD = 'LOAD#';
export const BULK_REPLAY = 'BULK_REPLAY#';
/** Exists while a bulk replay of the tenant is running. */
export const RUNNING_BULK_REPLAY = 'RUNNING_BULK_REPLAY#';
/** The state of a data subject request. */
export const SUBJECT_REQUEST = 'SUBJECT_REQUEST#';
export type WebhooksKey =
  | QuotaKey
  | typeof CONFIGURATION
  | typeof CONFIGURATION_NAME
  | typeof CONFIGURATION_RULES
  | typeof CONFIGURATION_TESTS
  | typeof RULE
  | typeof MATCH
  | typeof RUN
  | typeof SUBJECT_REQUEST
  | typeof LOAD
  | typeof BULK_REPLAY
  | typeof RUNNING_BULK_REPLAY;

/** Lists of the index `Listing`. */
export const CONFIGURATIONS = 'CONFIGURATIONS#';
export const RULES = 'RULES#';
export const BULK_REPLAYS = 'BULK_REPLAYS#';
/** The running bulk replays of all tenants. */
export const RUNNING_BULK_REPLAYS = 'RUNNING_BULK_REPLAYS';
export type WebhooksList = typeof CONFIGURATIONS | typeof RULES | typeof BULK_REPLAYS | typeof RUNNING_BULK_REPLAYS;

/**
 * The indexes besides `Listing`, and the prefixes of their partition keys: the delivery log, its failed runs, the runs
 * and configurations that the sweeper checks, and the runs that wait for a slot.
 */
export const LOG = 'LOG#';
export const FAILED = 'FAILED#';
export const DUE = 'DUE#';
export const PARKED = 'PARKED#';
export interface WebhooksIndexes {
  readonly Log: typeof LOG;
  readonly Failed: typeof FAILED;
  readonly Due: typeof DUE;
  readonly Parked: typeof PARKED;
}

/** The sort key of a run among the items of its partition; the stream delivers only these. */
export const RUN_ITEM = 'RUN';
export const LOAD_ITEM = 'LOAD';
