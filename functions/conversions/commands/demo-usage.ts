import { dateOf, type UsedDay } from '../billing/balances/days.ts';

const DAY_MILLIS = 86_400_000;
const DAYS = 60;

/** Two months of use before today: it grows, rests at weekends, and tests something new now and then. */
export function demoUsage(now: number): UsedDay[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const at = now - (DAYS - index) * DAY_MILLIS;
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
    const usual = 380 + index * 9 + ((index * 7_919) % 160);
    return {
      date: dateOf(at),
      live: isWeekend ? Math.floor(usual / 5) : usual,
      test: index % 11 === 4 ? 18 : 0,
    };
  });
}
