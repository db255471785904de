import * as z from 'zod';
import { Refusal } from '#shared/errors';
import { type Account, subscriptionOf, usageIn } from '../billing/balances/account.ts';
import { accountChange, afterStep, itemAfter } from '../billing/balances/account-changes.ts';
import { dateOf, endOfDay, openDay, type UsedDay } from '../billing/balances/days.ts';
import { amountText } from '../billing/subscriptions/amount.ts';
import { billingOf, overageCount } from '../billing/subscriptions/subscription.ts';
import { type Usage, usageOf } from './usage.ts';

const date = z.iso.date().optional();

/** The query `by=day` with the first and the last day, both included; without them, the last thirty days. */
export const UsageQuery = z.object({ by: z.enum(['day']).optional(), from: date, to: date });

/** The usage of a tenant now, including changes that have come due but that no request has written yet. */
export function presentUsage(tenant: string, stored: Account, now: number) {
  const steps = afterStep(stored, now, (current) => current);
  const item = itemAfter(accountChange(tenant, stored, steps, { nowMicros: now * 1_000 }));
  const { flatMicros, overageMicros, ...limits } = billingOf(subscriptionOf(item));
  const overage = overageCount(usageIn(item), limits) * overageMicros;
  return {
    ...inCamelCase(usageOf(item)),
    currency: item.subscription.currency,
    spend: { flat: amountText(flatMicros), overage: amountText(overage), total: amountText(flatMicros + overage) },
    rateLimit: { perSecond: 1_000_000 / item.tokenMicros, burst: item.burst },
  };
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;
const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const inCamelCase = (usage: Usage) =>
  Object.fromEntries(Object.entries(usage).map(([name, value]) => [camelCase(name), value])) as {
    readonly [Name in keyof Usage as CamelCase<Name> & string]: Usage[Name];
  };

const DAY_MILLIS = 86_400_000;
const DAYS_DEFAULT = 30;
/** The number of days for which the usage of a day is stored. */
const DAYS_MAX = 400;

export interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** The days of a query. Future days are left out. */
export function rangeOf({ from, to }: z.output<typeof UsageQuery>, now: number): DateRange {
  const today = dateOf(now);
  const last = to ?? today;
  const first = from ?? dateOf(Date.parse(last) - (DAYS_DEFAULT - 1) * DAY_MILLIS);
  if (first > last) throw new Refusal(400, 'invalid-input', 'from: must not be after to');
  if (Date.parse(first) + DAYS_MAX * DAY_MILLIS <= Date.parse(last)) {
    throw new Refusal(400, 'invalid-input', `from: at most ${DAYS_MAX} days at a time`);
  }
  return { from: first, to: last < today ? last : today };
}

/** The use of each day in the range: stored for days that have ended, and counted by the account for today. */
export function presentDays({ from, to }: DateRange, ended: readonly UsedDay[], stored: Account) {
  const open = openDay(stored);
  const usedByDate = Map.groupBy([...ended, ...(open ? [open] : [])], (day) => day.date);
  const days: UsedDay[] = [];
  for (let day = from; day <= to; day = dateOf(endOfDay(day))) {
    const uses = usedByDate.get(day) ?? [];
    days.push({
      date: day,
      live: uses.reduce((sum, { live }) => sum + live, 0),
      test: uses.reduce((sum, { test }) => sum + test, 0),
    });
  }
  return { from, to, days };
}
