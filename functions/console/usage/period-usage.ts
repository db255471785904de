import type { Plan, Usage, UsedDay } from './usage-answers.ts';

const DAY_MILLIS = 86_400_000;
/** Before this many days, a forecast would be a guess. */
const FORECAST_DAYS_MIN = 5;

interface PeriodUsage {
  /** The live conversions up to the end of each day. */
  readonly sums: readonly { readonly date: string; readonly sum: number }[];
  /** The days of the whole period. */
  readonly length: number;
  /** The projected live conversions at the end of the period; undefined if it is too early for a projection. */
  readonly expected: number | undefined;
}

/** Adds up the live conversions of the days of a period. */
export function periodUsage(
  { periodStart, periodEnd }: Pick<Usage, 'periodStart' | 'periodEnd'>,
  days: readonly UsedDay[],
): PeriodUsage {
  const first = periodStart.slice(0, 10);
  const own = days.filter(({ date }) => date >= first);
  let sum = 0;
  const sums = own.map(({ date, live }) => ({ date, sum: (sum += live) }));
  const length = Math.max(1, Math.round((Date.parse(periodEnd) - Date.parse(first)) / DAY_MILLIS));
  const isForeseeable = own.length >= FORECAST_DAYS_MIN && own.length < length;
  return { sums, length, expected: isForeseeable ? Math.round((sum / own.length) * length) : undefined };
}

/** Returns the price of a conversion beyond those that the plan includes; undefined if these are refused. */
export const overagePriceOf = ({ plan, offers }: Pick<Plan, 'plan' | 'offers'>): string | undefined =>
  offers.find((offer) => offer.plan === plan)?.overage;

/**
 * The overage to expect at the end of the period if the use goes on like this, within the cap; undefined if there is none.
 * @param conversions the projected live conversions of the whole period
 */
export function expectedOverage(
  { liveIncluded }: Pick<Usage, 'liveIncluded'>,
  plan: Pick<Plan, 'plan' | 'offers' | 'spendCap'>,
  conversions = 0,
): string | undefined {
  const { spendCap } = plan;
  const overage = overagePriceOf(plan);
  const isStopped = 'mode' in spendCap && spendCap.mode === 'hard-stop';
  if (overage === undefined || isStopped || conversions <= liveIncluded) return undefined;
  const cap = 'amount' in spendCap ? Number(spendCap.amount) : Infinity;
  return Math.min(cap, (conversions - liveIncluded) * Number(overage)).toFixed(2);
}
