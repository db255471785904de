import type { Series } from '../components/chart.tsx';
import { DayChart } from '../components/day-chart.tsx';
import { countOf, countText } from '../components/quantities.ts';
import type { UsedDay } from './usage-answers.ts';

const SERIES: readonly Series[] = [
  { label: 'Live', fill: 'fill-accent' },
  { label: 'Test', fill: 'fill-warn' },
];

/** The conversions per day. */
export function UsageChart({ days }: { readonly days: readonly UsedDay[] }) {
  const live = days.reduce((sum, day) => sum + day.live, 0);
  const test = days.reduce((sum, day) => sum + day.test, 0);
  return (
    <DayChart
      title="Conversions per day"
      text={`${countText(live)} live and ${countText(test)} test conversions in ${countOf(days.length, 'day')}.`}
      series={SERIES}
      days={days.map((day) => ({ date: day.date, values: [day.live, day.test] }))}
    />
  );
}
