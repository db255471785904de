import type { AnswerKey } from '#shared/idempotency/answer';

/**
 * Prefixes of partition keys in the conversions table. Adapters build keys from them, and the constructs grant by them.
 */
export const METER = 'METER#';
export const CREDENTIAL = 'CREDENTIAL#';
export const PERIOD = 'PERIOD#';
export const INVOICE = 'INVOICE#';
export const PAYMENT = 'PAYMENT#';
export const PAYMENT_EVENT = 'PAYMENT_EVENT#';
export const ANNOUNCEMENT = 'ANNOUNCEMENT#';
export const LATE_USAGE = 'LATE_USAGE#';
/** The use of a tenant on each past day. */
export const USAGE = 'USAGE#';

/** Lists of the index `Listing`. */
export const CREDENTIALS = 'CREDENTIALS#';
export const INVOICES = 'INVOICES#';
export const OPEN_PERIODS = 'OPEN_PERIODS';
export const UNANNOUNCED = 'UNANNOUNCED';

export type ConversionsKey =
  | typeof METER
  | typeof CREDENTIAL
  | typeof PERIOD
  | typeof INVOICE
  | typeof PAYMENT
  | typeof PAYMENT_EVENT
  | typeof ANNOUNCEMENT
  | typeof LATE_USAGE
  | AnswerKey
  | typeof USAGE;
export type ConversionsList = typeof CREDENTIALS | typeof INVOICES | typeof OPEN_PERIODS | typeof UNANNOUNCED;
