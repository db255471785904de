import type { PROBE } from '#shared/events/probe-key';
import type { SequenceKey } from '#shared/table/integer-ids';

/** Prefixes of partition keys in the images table. Adapters build keys from them, and the constructs grant by them. */
export const CAMPAIGN = 'CAMPAIGN#';
/** Holds a validation with its images, and its review. */
export const VALIDATION = 'VALIDATION#';
/** Counts the submissions of a customer per day, and remembers recent calls so that a repeated one is recognised. */
export const SUBMISSIONS = 'SUBMISSIONS#';
/** Counts the awards of a campaign, in total and per customer. */
export const AWARDS = 'AWARDS#';
/** Reserves what may be awarded only once: the bytes of an image, or a purchase. */
export const RESERVATION = 'RESERVATION#';
/** Points from an image's bytes, and from parts of its perceptual hash, to the validations that have such an image. */
export const POINTER = 'POINTER#';
/** Queues validations that must be erased a second time. */
export const ERASURE = 'ERASURE#';
export type ImagesKey =
  | SequenceKey
  | typeof CAMPAIGN
  | typeof VALIDATION
  | typeof SUBMISSIONS
  | typeof AWARDS
  | typeof RESERVATION
  | typeof POINTER
  | typeof ERASURE
  | typeof PROBE;

/** Prefixes of partition keys in the index `Listing`. */
export const CAMPAIGNS = 'CAMPAIGNS#';
export const VALIDATIONS = 'VALIDATIONS#';
/** The list of due erasures covers all tenants. */
export const ERASURES = 'ERASURES';
export type ImagesList = typeof CAMPAIGNS | typeof VALIDATIONS | typeof ERASURES;

/** Partition keys of the other indexes. */
export const OF_CUSTOMER = 'CUSTOMER#';
export const OF_CAMPAIGN = 'OF_CAMPAIGN#';
export const WITH_STATUS = 'STATUS#';
export const TO_REVIEW = 'REVIEW#';
/** The list of undecided validations covers all tenants. */
export const UNDECIDED = 'UNDECIDED#';
export interface ImagesIndexes {
  readonly Customers: typeof OF_CUSTOMER;
  readonly Campaigns: typeof OF_CAMPAIGN;
  readonly Statuses: typeof WITH_STATUS;
  readonly Reviews: typeof TO_REVIEW;
  readonly Undecided: typeof UNDECIDED;
}
