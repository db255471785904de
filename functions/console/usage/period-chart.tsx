import { LineChart } from '../components/line-chart.tsx';
import { countText } from '../components/quantities.ts';
import { useDayText } from '../components/time.tsx';
import { periodUsage } from './period-usage.ts';
import type { Usage, UsedDay } from './usage-answers.ts';

interface PeriodChartProps {
  readonly usage: Usage;
  readonly days: readonly UsedDay[];
}

/** The live conversions of the period, added up day by day, against the included ones. */
export function PeriodChart({ usage, days }: PeriodChartProps) {
  const dayText = useDayText();
  const { sums, length, expected } = periodUsage(usage, days);
  const { liveIncluded } = usage;
  const used = `${countText(sums.at(-1)?.sum ?? 0)} of ${countText(liveIncluded)} included conversions are used.`;
  const forecast =
    expected === undefined ? '' : ` At this rate it will be ${countText(expected)} by the end of the period.`;
  return (
    <LineChart
      title="Live conversions of this period"
      text={`${used}${forecast} Days are in UTC.`}
      label="Live conversions"
      rowTitle="Up to"
      rows={sums.map(({ date, sum }) => ({ label: dayText(date), values: [sum] }))}
      length={length}
      limit={liveIncluded > 0 ? { label: 'Included', value: liveIncluded } : undefined}
      expected={expected}
    />
  );
}
