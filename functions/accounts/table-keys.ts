import type { AuditKey, AuditList } from '#shared/audit/audit-line';
import type { DATA_TOKENS, DataTokenKey, PreviewsKey } from '#shared/auth/data-token';
import type { MANAGEMENT_KEYS, ManagementKeyKey, ManagementRateKey } from '#shared/auth/management-key';
import type { PEOPLE, PersonKey } from '#shared/auth/person';
import type { ACCOUNTS, AccountKey } from '#shared/auth/tenant';
import type { ERASURES, ErasureKey } from '#shared/erasures/erasure';
import type { AnswerKey } from '#shared/idempotency/answer';
import type { AppKey } from '#shared/loyalty/app';
import type { CHECK_INS, CustomerKey } from '#shared/loyalty/customer';
import type { ScheduleRunsKey } from '#shared/schedules/schedule-run';

/** Lists of the index `Listing`. */
export const APPS = 'APPS#';
export const CUSTOMERS = 'CUSTOMERS#';

/** Prefixes of partition keys in the accounts table, which the construct grants by. */
export type AccountsKey =
  | AccountKey
  | DataTokenKey
  | PreviewsKey
  | ManagementKeyKey
  | ManagementRateKey
  | PersonKey
  | AnswerKey
  | AppKey
  | CustomerKey
  | AuditKey
  | ErasureKey
  | ScheduleRunsKey;
export type AccountsList =
  | typeof ACCOUNTS
  | typeof DATA_TOKENS
  | typeof MANAGEMENT_KEYS
  | typeof PEOPLE
  | typeof APPS
  | typeof CUSTOMERS
  | typeof CHECK_INS
  | AuditList
  | typeof ERASURES;
