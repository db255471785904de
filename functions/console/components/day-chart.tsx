import { BarChart } from './bar-chart.tsx';
import type { Series } from './chart.tsx';
import { isNamedDay } from './chart-scale.ts';
import { useDayText } from './time.tsx';

/** The values of one UTC day. */
interface Day {
  readonly date: string;
  readonly values: readonly number[];
}

interface DayChartProps {
  readonly title: string;
  /** The content of the chart, in a sentence. */
  readonly text: string;
  readonly series: readonly Series[];
  readonly days: readonly Day[];
}

/** Counts per day, as bars and as a table. */
export function DayChart({ title, text, series, days }: DayChartProps) {
  const dayText = useDayText();
  return (
    <BarChart
      title={title}
      text={`${text} Days are in UTC.`}
      series={series}
      rowTitle="Day"
      rows={days.map(({ date, values }) => ({ label: dayText(date), values }))}
      axisLabel={({ label }, at) => (isNamedDay(days[at]?.date ?? '') ? label : undefined)}
    />
  );
}
