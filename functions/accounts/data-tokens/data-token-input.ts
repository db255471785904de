import * as z from 'zod';
import { whenSound } from '#shared/http/invalid-input';

/** Records that a token holds at most. */
export const CREDIT_MAX = 1_000_000_000_000;
const credit = z.number().int().min(0).max(CREDIT_MAX);
const planId = z.string().trim().min(1).max(50);

export const NewDataToken = z
  .strictObject({
    availableDownloads: credit.describe('Records that may be downloaded.'),
    planId: planId.describe('The data plan, which decides on the views.'),
    monthlyDownloads: credit
      .optional()
      .describe('The credit to which the token is renewed at the beginning of each month (UTC); absent: never.'),
  })
  .meta({ id: 'NewDataToken' });
export type NewDataToken = z.output<typeof NewDataToken>;

/** The plan alone. */
export const SoundPlan = z.object({ planId: planId.optional() });

export const DataTokenChange = z
  .strictObject({
    availableDownloads: credit,
    addDownloads: z.number().int().min(1).max(CREDIT_MAX).describe('Credit that is granted beside the monthly one.'),
    monthlyDownloads: credit.nullable().describe('`null` ends renewals.'),
    planId,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .refine(({ availableDownloads, addDownloads }) => availableDownloads === undefined || addDownloads === undefined, {
    error: 'Send either availableDownloads or addDownloads.',
    when: whenSound('availableDownloads', 'addDownloads'),
  })
  .meta({ id: 'DataTokenChange' });
export type DataTokenChange = z.output<typeof DataTokenChange>;

export const DataTokenId = z.string().regex(/^tok_[A-Za-z0-9_-]{32}$/);
