import type { Series } from '../components/chart.tsx';
import { DayChart } from '../components/day-chart.tsx';
import { Card } from '../components/page-parts.tsx';
import { countOf } from '../components/quantities.ts';
import type { Download } from './download-answers.ts';
import { downloadedDays } from './download-days.ts';

const SERIES: readonly Series[] = [{ label: 'Records', fill: 'fill-info' }];

interface DownloadChartProps {
  /** The newest downloads. */
  readonly downloads: readonly Download[];
  readonly isMore: boolean;
  readonly now: number;
}

/** The records that were delivered in the last days. Nothing if none were. */
export function DownloadChart({ downloads, isMore, now }: DownloadChartProps) {
  const days = downloadedDays(downloads, isMore, now);
  const sum = days.reduce((all, { records }) => all + records, 0);
  if (sum === 0) return null;
  return (
    <Card title="Records delivered by day">
      <DayChart
        title="Records delivered by day"
        text={`${countOf(sum, 'record')} in ${countOf(days.length, 'day')}, by the day on which the download was started.`}
        series={SERIES}
        days={days.map(({ date, records }) => ({ date, values: [records] }))}
      />
    </Card>
  );
}
