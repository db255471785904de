import { dateOf } from '../billing/balances/days.ts';

const DAY_MILLIS = 86_400_000;
/** The days of use: two periods have ended, and a third is two weeks old. */
const DAYS = 75;

/** Live conversions of a day. The test keys stay unused, because their pool is for the life of the account. */
export interface DemoDay {
  readonly date: string;
  readonly live: number;
}

/** The use of the days before today: it grows, and drops at weekends. */
export function demoUsage(now: number): DemoDay[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const at = now - (DAYS - index) * DAY_MILLIS;
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
    const usual = 380 + index * 7 + ((index * 7_919) % 160);
    return { date: dateOf(at), live: isWeekend ? Math.floor(usual / 5) : usual };
  });
}
