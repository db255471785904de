import * as z from 'zod';
import type { Mail } from '#shared/mail/mail';

const PlanChange = z.object({
  plan: z.enum(['free', 'starter', 'growth', 'scale']),
  state: z.string(),
  previousState: z.string(),
  version: z.int(),
});
type PlanChange = z.output<typeof PlanChange>;

/** The change of plan in an announcement, if it is one. */
export const planChangeIn = ({ trigger, data }: { readonly trigger: string; readonly data: unknown }) =>
  trigger === 'Plan changed' ? PlanChange.parse(data) : undefined;

/** Returns whether the first payment for Scale has settled, or one after a time without. */
export const isScaleConfirmed = ({ state, previousState }: PlanChange): boolean =>
  state === 'scale_full' && (previousState === 'scale_intro' || previousState === 'scale_blocked');

/** The mail that confirms that the full limits of Scale apply (README, "Plans"). */
export const confirmation = ({ name, email }: { readonly name: string; readonly email: string }): Mail => ({
  to: email,
  subject: 'The full limits of your Scale plan apply',
  text: [
    `Your payment has settled. The account ${name} now has the full limits of the Scale plan:`,
    '500,000 conversions in each billing period, and 200 requests per second.',
  ].join('\n'),
});
