import * as z from 'zod';
import { whenSound } from '#shared/http/invalid-input';
import { PageQuery } from '#shared/http/page';
import type { ReviewAnswer } from '../validations/review.ts';
import { STATUSES } from '../validations/validation.ts';
import { Amount } from './amount.ts';

/** Records that await a review are pending: the two may be stated together. */
export const ListQuery = z
  .object({
    ...PageQuery.shape,
    status: z.enum(STATUSES).optional(),
    needsReview: z.literal('true', 'must be true, or absent').optional(),
    customer: z.string().min(1).max(100).optional(),
    order: z.enum(['newest', 'oldest']).default('newest'),
    count: z.literal('true', 'must be true, or absent').optional(),
  })
  .refine(({ needsReview, status = 'pending' }) => needsReview === undefined || status === 'pending', {
    path: ['status'],
    message: 'records that need a review are pending',
  })
  .refine(({ customer, needsReview, status }) => customer === undefined || (needsReview ?? status) === undefined, {
    path: ['customer'],
    message: 'cannot be combined with status or needsReview',
  })
  .transform(({ status, needsReview, customer, order, count, ...page }) => ({
    filter: { status, needsReview: needsReview !== undefined, customer },
    oldestFirst: order === 'oldest',
    isCounted: count !== undefined,
    page,
  }));

export type ListQuery = z.output<typeof ListQuery>;

/** A list is counted no further: what comes after it is more than anyone looks at in a day. */
export const COUNTED_MAX = 100;
/** @param counted at most one more than `COUNTED_MAX` */
export const presentCount = (counted: number) => ({
  value: Math.min(counted, COUNTED_MAX),
  isMore: counted > COUNTED_MAX,
});

const LINES_MAX = 50;

const Line = z.strictObject({
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(500).default(''),
  /** Paid for the line. */
  price: Amount,
  quantity: z.int().min(1).max(10_000).default(1),
  /** For the line. */
  points: z.int().min(0).max(1_000_000_000).default(0),
});

/** What a reviewer states: the verdict, and the revision of the record that was looked at. */
export const ReviewRequest = z
  .strictObject({
    status: z.enum(['valid', 'invalid']),
    invalidCode: z.int().optional(),
    storeName: z.string().trim().min(1).max(200).optional(),
    /** A day: `2018-03-05`. */
    receiptDate: z.iso.date().optional(),
    results: z.array(Line).max(LINES_MAX).optional(),
    /** Absent: whichever is current. */
    revision: z.int().optional(),
  })
  .superRefine(
    ({ status, invalidCode, storeName, receiptDate, results }, context) => {
      const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
      if (status === 'valid') {
        if (invalidCode !== undefined) refuse('invalidCode', 'is of invalid records only');
        return;
      }
      if (invalidCode === undefined) refuse('invalidCode', 'is required');
      for (const [name, value] of Object.entries({ storeName, receiptDate, results })) {
        if (value !== undefined) refuse(name, 'is of valid records only');
      }
    },
    { when: whenSound('status') },
  )
  .transform(({ revision, status, invalidCode = 0, ...answer }): ReviewRequest => {
    return { revision, verdict: status === 'valid' ? { status, ...answer } : { status, invalidCode } };
  });
/** The members that decide whether a code fits its record. */
export const SoundVerdict = z.object({ status: z.enum(['valid', 'invalid']), invalidCode: z.int() }).partial();

export interface ReviewRequest {
  readonly verdict: ReviewAnswer;
  readonly revision: number | undefined;
}
