import type * as z from 'zod/mini';
import { BarChart } from '../components/bar-chart.tsx';
import type { Series } from '../components/chart.tsx';
import { Problem } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { Ago } from '../components/time.tsx';
import { clockText, timeText } from '../components/times.ts';
import { useView } from '../components/view.ts';
import type { Settled } from '../management/management.ts';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import type { RunPage } from '../runs/run-answers.ts';
import { ResponseCode } from '../runs/run-status.tsx';
import { deliverySums } from './figures.ts';
import type { Deliveries } from './overview-answers.ts';

const SERIES: readonly Series[] = [
  { label: 'Completed', fill: 'fill-ok' },
  { label: 'Failed', fill: 'fill-bad' },
  { label: 'In progress', fill: 'fill-info' },
];

interface DeliveryChartProps {
  readonly pageRequest: PageRequest;
  readonly deliveries: Settled<Deliveries>;
}

/** The deliveries of the last 24 hours over time. */
export function DeliveryChart({ pageRequest, deliveries }: DeliveryChartProps) {
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Deliveries</h2>
        <a href={screenPath(pageRequest, 'runs')}>Delivery log of the last 24 hours</a>
      </div>
      {deliveries.ok ? <Drawing deliveries={deliveries.value} /> : <Problem failure={deliveries.failure} />}
    </section>
  );
}

function Drawing({ deliveries: { periods, reached } }: { readonly deliveries: Deliveries }) {
  const { timeZone, now } = useView();
  const { all, failed } = deliverySums(periods);
  const range =
    reached === undefined
      ? 'in the last 24 hours'
      : `since ${timeText(Date.parse(reached), { timeZone, now })}: the chart shows the newest ones`;
  return (
    <BarChart
      title="Deliveries by time of the event"
      text={`${countText(all)} deliveries, ${countText(failed)} failed, ${range}. Times are in ${timeZone}.`}
      series={SERIES}
      rowTitle="Time"
      rows={periods.map(({ from, completed, failed: own, inProgress }) => ({
        label: timeText(Date.parse(from), { timeZone, now }),
        values: [completed, own, inProgress],
      }))}
      axisLabel={(_, at) => (at % 4 === 0 ? clockText(Date.parse(periods[at]?.from ?? ''), timeZone) : undefined)}
    />
  );
}

interface LastFailuresProps {
  readonly pageRequest: PageRequest;
  readonly runs: Settled<z.output<typeof RunPage>>;
}

/** The newest failures that no replay has resolved. */
export function LastFailures({ pageRequest, runs }: LastFailuresProps) {
  const failures = runs.ok ? runs.value.items.slice(0, 5) : [];
  return (
    <section class="card pad stack">
      <div class="head">
        <h2>Last failures</h2>
        <a href={screenPath(pageRequest, 'runs', { status: 'FAILED', resolved: 'false' })}>All unresolved failures</a>
      </div>
      {!runs.ok && <Problem failure={runs.failure} />}
      {runs.ok && failures.length === 0 && <p class="muted">None in the last 24 hours.</p>}
      <ul class="feed">
        {failures.map(({ id, record, apiConfigurationName, responseCode, error, triggeredAt }) => (
          <li key={id}>
            <a href={screenPath(pageRequest, `runs/${encodeURIComponent(id)}`)}>
              {record}
              <span class="hidden">, {id}</span>
            </a>
            <span class="small faint">
              <ResponseCode code={responseCode} error={error} /> from {apiConfigurationName}, <Ago at={triggeredAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
