import type { SequenceKey } from '#shared/integer-ids';
import type { PROBE } from '#shared/stream-probe';

/** Prefixes of partition keys in the images table. Adapters build keys from them, and the constructs grant by them. */
export const CAMPAIGN = 'CAMPAIGN#';
/** A record with its images, and the review of it. */
export const VALIDATION = 'VALIDATION#';
/** How often a customer has submitted, by day. */
export const SUBMISSIONS = 'SUBMISSIONS#';
/** How often a campaign has been awarded, in all and by customer. */
export const AWARDS = 'AWARDS#';
/** What may be awarded once: the bytes of an image, and what a receipt says. */
export const PRINT = 'PRINT#';
/** Leads from parts of an image's likeness, and from its bytes, to the records that have such an image. */
export const POINTER = 'POINTER#';
/** Records that are to be erased once more. */
export const ERASURE = 'ERASURE#';
export type ImagesKey =
  | SequenceKey
  | typeof CAMPAIGN
  | typeof VALIDATION
  | typeof SUBMISSIONS
  | typeof AWARDS
  | typeof PRINT
  | typeof POINTER
  | typeof ERASURE
  | typeof PROBE;

/** Lists of the index `Listing`. */
export const CAMPAIGNS = 'CAMPAIGNS#';
export const VALIDATIONS = 'VALIDATIONS#';
/** Of all tenants. */
export const ERASURES = 'ERASURES';
export type ImagesList = typeof CAMPAIGNS | typeof VALIDATIONS | typeof ERASURES;

/** Partition keys of the other indexes. */
export const OF_CUSTOMER = 'CUSTOMER#';
export const WITH_STATUS = 'STATUS#';
export const TO_REVIEW = 'REVIEW#';
export const UNDECIDED = 'UNDECIDED';
export interface ImagesIndexes {
  readonly Customers: typeof OF_CUSTOMER;
  readonly Statuses: typeof WITH_STATUS;
  readonly Reviews: typeof TO_REVIEW;
  readonly Undecided: typeof UNDECIDED;
}
