import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { AmountText, BillingCurrency } from '../billing/subscriptions/amount-schema.ts';
import { PLAN_NAMES } from '../billing/subscriptions/plan.ts';
import { STATES } from '../billing/subscriptions/subscription.ts';
import { UsageQuery } from './tenant-usage.ts';

const count = z.int();

const PeriodUsage = named(
  'PeriodUsage',
  z.object({
    periodStart: Time,
    periodEnd: Time,
    resetsAt: Time,
    testQuota: count,
    testUsed: count,
    testRemaining: count,
    liveIncluded: count,
    liveUsed: count,
    liveRemaining: count,
    liveOverage: count,
    hardLimit: count.nullable(),
    spendCap: AmountText.nullable(),
    plan: z.enum(PLAN_NAMES),
    planState: z.enum(STATES),
    currency: BillingCurrency,
    spend: z.object({ flat: AmountText, overage: AmountText, total: AmountText }),
    rateLimit: z.object({ perSecond: z.number(), burst: count }),
  }),
  'The conversions of the current period, and what they cost so far.',
);

const UsedDay = named('UsedDay', z.object({ date: z.string(), live: count, test: count }));

const DailyUsage = named(
  'DailyUsage',
  z.object({ from: z.string(), to: z.string(), days: z.array(UsedDay) }),
  'The conversions of each day in UTC.',
);

/** The usage of a tenant. */
export const tenantUsageOperations = operations({
  getTenantUsage: {
    route: 'GET /manage/v1/usage',
    summary: 'Get the conversions of the current period, or of each day',
    query: UsageQuery,
    answers: { 200: z.union([PeriodUsage, DailyUsage]) },
  },
});
