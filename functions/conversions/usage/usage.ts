import * as z from 'zod';
import { isoTime } from '#shared/formats/timestamp';
import { type Account, quotaOf } from '../billing/balances/account.ts';
import { amountText } from '../billing/subscriptions/amount.ts';
import { STATES, UNLIMITED } from '../billing/subscriptions/subscription.ts';

const count = z.int().min(0);

/** The Usage record (README, "Usage"), with the additional members for live keys. */
export const Usage = z.strictObject({
  period_start: z.iso.datetime().meta({ description: 'Start of the counting window of the live quota.' }),
  period_end: z.iso.datetime(),
  resets_at: z.iso.datetime().meta({ description: 'Equals period_end.' }),
  test_quota: count.meta({ description: 'Size of the one-time test pool.' }),
  test_used: count,
  test_remaining: count,
  live_included: count.meta({ description: 'Live conversions of the period that the plan includes.' }),
  live_used: count,
  live_remaining: count.meta({ description: 'Of those included.' }),
  live_overage: count.meta({ description: 'Beyond those included.' }),
  hard_limit: count.nullable().meta({ description: 'Live conversions after which all are refused; null: none.' }),
  spend_cap: z
    .string()
    .nullable()
    .meta({ description: 'Most that overage may cost, in the billing currency; null: none.' }),
  plan: z.enum(['free', 'starter', 'growth', 'scale']),
  plan_state: z.enum(STATES),
});
export type Usage = z.output<typeof Usage>;

export function usageOf(item: Account): Usage {
  const test = quotaOf(item, 'test');
  const live = quotaOf(item, 'live');
  const end = isoTime(item.periodEnd / 1_000);
  const { capMicros, plan, state } = item.subscription;
  return {
    period_start: isoTime(item.periodStart / 1_000),
    period_end: end,
    resets_at: end,
    test_quota: test.hardLimit,
    test_used: test.used,
    test_remaining: Math.max(0, test.hardLimit - test.used),
    live_included: live.included,
    live_used: live.used,
    live_remaining: Math.max(0, live.included - live.used),
    live_overage: Math.max(0, live.used - live.included),
    hard_limit: live.hardLimit < UNLIMITED ? live.hardLimit : null,
    spend_cap: capMicros === undefined ? null : amountText(capMicros),
    plan,
    plan_state: state,
  };
}
