import * as z from 'zod';
import { whenSound } from '#shared/http/invalid-input';

/** Records that a token holds at most. */
export const CREDIT_MAX = 1_000_000_000_000;
const credit = z.number().int().min(0).max(CREDIT_MAX);
const planId = z.string().trim().min(1).max(50);

export const NewDataToken = z.strictObject({
  availableDownloads: credit,
  planId,
  /** The credit to which the token is renewed at the beginning of each calendar month (UTC). @default it is not renewed */
  monthlyDownloads: credit.optional(),
});
export type NewDataToken = z.output<typeof NewDataToken>;

/** The plan alone. */
export const SoundPlan = z.object({ planId: planId.optional() });

/** `addDownloads` grants credit beside the monthly one; `monthlyDownloads: null` ends renewals. */
export const DataTokenChange = z
  .strictObject({
    availableDownloads: credit,
    addDownloads: z.number().int().min(1).max(CREDIT_MAX),
    monthlyDownloads: credit.nullable(),
    planId,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .refine(({ availableDownloads, addDownloads }) => availableDownloads === undefined || addDownloads === undefined, {
    error: 'Send either availableDownloads or addDownloads.',
    when: whenSound('availableDownloads', 'addDownloads'),
  });
export type DataTokenChange = z.output<typeof DataTokenChange>;

export const DataTokenId = z.string().regex(/^tok_[A-Za-z0-9_-]{32}$/);
