import * as z from 'zod/mini';

/** The mail that says that the full limits of Scale apply (specification 001, section 3). */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const PlanChange = z.object({
  state: z.literal('scale_full'),
  previousState: z.enum(['scale_intro', 'scale_blocked']),
});

/** Whether an announcement says that the first payment for Scale has settled, or one after a time without. */
export const isScaleConfirmed = ({ trigger, data }: { readonly trigger: string; readonly data: unknown }): boolean =>
  trigger === 'Plan changed' && PlanChange.safeParse(data).success;

export const confirmation = ({ name, email }: { readonly name: string; readonly email: string }): Mail => ({
  to: email,
  subject: 'The full limits of your Scale plan apply',
  text: [
    `Your payment has settled. The account ${name} now has the full limits of the Scale plan:`,
    '500,000 conversions in each billing period, and 200 requests per second.',
  ].join('\n'),
});
