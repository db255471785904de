import * as z from 'zod/mini';

/** The mail that says that the full limits of Scale apply (specification 001, section 3). */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const PlanChange = z.object({
  plan: z.enum(['free', 'starter', 'growth', 'scale']),
  state: z.string(),
  previousState: z.string(),
  version: z.int(),
});
type PlanChange = z.output<typeof PlanChange>;

/** The change that an announcement tells of, if it is one of a plan. */
export const planChangeIn = ({ trigger, data }: { readonly trigger: string; readonly data: unknown }) =>
  trigger === 'Plan changed' ? PlanChange.parse(data) : undefined;

/** Whether the first payment for Scale has settled, or one after a time without. */
export const isScaleConfirmed = ({ state, previousState }: PlanChange): boolean =>
  state === 'scale_full' && (previousState === 'scale_intro' || previousState === 'scale_blocked');

export const confirmation = ({ name, email }: { readonly name: string; readonly email: string }): Mail => ({
  to: email,
  subject: 'The full limits of your Scale plan apply',
  text: [
    `Your payment has settled. The account ${name} now has the full limits of the Scale plan:`,
    '500,000 conversions in each billing period, and 200 requests per second.',
  ].join('\n'),
});
