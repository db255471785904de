import type { Series } from '../components/chart.tsx';
import { DayChart } from '../components/day-chart.tsx';
import { countOf, countText } from '../components/quantities.ts';
import type { DayCount } from './campaign-answers.ts';

const SERIES: readonly Series[] = [
  { label: 'Valid', fill: 'fill-ok' },
  { label: 'Invalid', fill: 'fill-bad' },
  { label: 'Undecided', fill: 'fill-warn' },
];

/** The records of a campaign by the day of their submission and their verdict. */
export function VerdictChart({ days }: { readonly days: readonly DayCount[] }) {
  const sumOf = (count: (day: DayCount) => number) => countText(days.reduce((sum, day) => sum + count(day), 0));
  const sums = [sumOf(({ valid }) => valid), sumOf(({ invalid }) => invalid), sumOf(({ undecided }) => undecided)];
  return (
    <DayChart
      title="Verdicts by day of submission"
      text={`${sums[0]} valid, ${sums[1]} invalid and ${sums[2]} undecided records in ${countOf(days.length, 'day')}.`}
      series={SERIES}
      days={days.map(({ date, valid, invalid, undecided }) => ({ date, values: [valid, invalid, undecided] }))}
    />
  );
}
