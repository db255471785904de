import type * as z from 'zod/mini';
import { durationText } from '../components/durations.ts';
import { Card, Facts, Note, Problem } from '../components/page-parts.tsx';
import { countOf } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import type { Settled } from '../management/management.ts';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import { failureOfAttempt } from '../runs/failure-cause.ts';
import type { RunPage } from '../runs/run-answers.ts';
import { recentDeliveries } from './recent-deliveries.ts';

type Runs = Settled<z.output<typeof RunPage>>;

/** Success rate and duration of the newest runs of a configuration. */
export function DeliveriesPanel({ runs }: { readonly runs: Runs }) {
  const figures = runs.ok ? recentDeliveries(runs.value.items) : undefined;
  return (
    <Card title="Deliveries">
      {!runs.ok && <Problem failure={runs.failure} />}
      {runs.ok && !figures && <p class="muted">None yet.</p>}
      {figures && (
        <>
          <Facts
            facts={{
              'Success rate': (
                <>
                  {figures.successRate}{' '}
                  <span class="faint">
                    ({figures.completed} of {figures.ended})
                  </span>
                </>
              ),
              'Median time': figures.median === undefined ? undefined : durationText(figures.median),
              '95% within': figures.percentile95 === undefined ? undefined : durationText(figures.percentile95),
            }}
          />
          <p class="hint">
            The newest {countOf(figures.ended, 'run')} that ended, since <Time at={figures.since} />. Times run from the
            event to the delivery, with retries.
          </p>
        </>
      )}
    </Card>
  );
}

interface FailingNoteProps {
  readonly pageRequest: PageRequest;
  readonly configuration: { readonly id: string; readonly targetUrl: string };
  readonly runs: Runs;
}

/** A notice that the newest deliveries to a configuration have all failed, with the cause of the last one. */
export function FailingNote({ pageRequest, configuration: { id, targetUrl }, runs }: FailingNoteProps) {
  const failing = runs.ok ? recentDeliveries(runs.value.items)?.failing : undefined;
  if (!failing) return null;
  const { error, responseCode } = failing.newest;
  const { sentence, advice } = failureOfAttempt({ outcome: error ?? '', responseCode, targetUrl, timings: null });
  const path = screenPath(pageRequest, 'runs', {
    configuration: id,
    status: 'FAILED',
    resolved: 'false',
    period: '30d',
  });
  return (
    <div class="spaced">
      <Note tone="bad" title={`The last ${failing.count} deliveries failed.`}>
        {sentence} {advice} <a href={path}>View failed runs</a>
      </Note>
    </div>
  );
}
