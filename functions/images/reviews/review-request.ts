import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { whenSound } from '#shared/http/invalid-input';
import { PageQuery } from '#shared/http/page';
import type { ReviewAnswer } from '../validations/review.ts';
import { STATUSES } from '../validations/validation.ts';
import { Amount } from './amount.ts';

/** Validations that await a review are pending, so the two filters may be combined. */
export const ListQuery = z
  .object({
    ...PageQuery.shape,
    status: z.enum(STATUSES).optional(),
    needsReview: z.enum(['true'], 'must be true, or absent').optional(),
    customer: z.string().min(1).max(100).optional(),
    campaign: z.string().min(1).max(100).optional().describe('The permalink of a campaign.'),
    order: z.enum(['newest', 'oldest']).default('newest'),
    count: z.enum(['true'], 'must be true, or absent').optional(),
  })
  .refine(({ needsReview, status = 'pending' }) => needsReview === undefined || status === 'pending', {
    path: ['status'],
    message: 'validations that need a review are pending',
  })
  .refine(({ customer, needsReview, status }) => customer === undefined || (needsReview ?? status) === undefined, {
    path: ['customer'],
    message: 'cannot be combined with status or needsReview',
  })
  .refine(
    ({ campaign, customer, needsReview, status }) =>
      campaign === undefined || (customer ?? needsReview ?? status) === undefined,
    { path: ['campaign'], message: 'cannot be combined with customer, status or needsReview' },
  )
  .transform(({ status, needsReview, customer, campaign, order, count, ...page }) => ({
    filter: { status, needsReview: needsReview !== undefined, customer, campaign },
    oldestFirst: order === 'oldest',
    isCounted: count !== undefined,
    page,
  }));

export type ListQuery = z.output<typeof ListQuery>;

/** A count stops here, because more than this is more than a day's work for a reviewer. */
export const COUNTED_MAX = 100;
/** @param counted at most `COUNTED_MAX` + 1 */
export const presentCount = (counted: number) => ({
  value: Math.min(counted, COUNTED_MAX),
  isMore: counted > COUNTED_MAX,
});

const LINES_MAX = 50;

const Line = named(
  'NewReviewLine',
  z.strictObject({
    name: z.string().trim().min(1).max(200),
    description: z.string().trim().max(500).default(''),
    /** The price of the whole line. */
    price: Amount,
    quantity: z.int().min(1).max(10_000).default(1),
    /** The points of the whole line. */
    points: z.int().min(0).max(1_000_000_000).default(0),
  }),
);

/** JSON Schema of an object with these members. */
const requiredFields = (...names: readonly string[]) => ({
  properties: Object.fromEntries(names.map((name) => [name, {}])),
  required: names,
});
const withStatus = (status: string) => ({ properties: { status: { enum: [status] } } });
/** The bodies that the schema below refuses beyond its members, in JSON Schema: members of the other verdict, or no code. */
const MIXED = {
  anyOf: [
    { allOf: [withStatus('valid'), requiredFields('invalidCode')] },
    {
      allOf: [
        withStatus('invalid'),
        {
          anyOf: [
            { not: requiredFields('invalidCode') },
            ...['storeName', 'receiptDate', 'results'].map((name) => requiredFields(name)),
          ],
        },
      ],
    },
  ],
};

/** A reviewer's answer, and the revision of the validation that it refers to. */
export const ReviewRequest = z
  .strictObject({
    status: z.enum(['valid', 'invalid']),
    invalidCode: z.int().optional(),
    storeName: z.string().trim().min(1).max(200).optional(),
    /** A day such as `2018-03-05`. */
    receiptDate: z.iso.date().optional(),
    results: z.array(Line).max(LINES_MAX).optional(),
    /** Absent means the current revision. */
    revision: z.int().optional(),
  })
  .superRefine(
    ({ status, invalidCode, storeName, receiptDate, results }, context) => {
      const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
      if (status === 'valid') {
        if (invalidCode !== undefined) refuse('invalidCode', 'is of invalid validations only');
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
  })
  .meta({ id: 'NewReview', not: MIXED });
/** The members that decide whether a code suits the validation's type. */
export const SoundVerdict = z.object({ status: z.enum(['valid', 'invalid']), invalidCode: z.int() }).partial();

export interface ReviewRequest {
  readonly verdict: ReviewAnswer;
  readonly revision: number | undefined;
}
