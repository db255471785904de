/** A metric over a span of time, cut into periods. */
import type { Metric, Samples } from './metric.ts';
import { type MetricStore, MINUTE_MILLIS } from './metric-store.ts';

export interface Span {
  /** Milliseconds since 1970; the first period begins with this minute. */
  readonly from: number;
  readonly to: number;
  readonly periodMillis: number;
}

export interface Period {
  /** The start of the period, in milliseconds. */
  readonly from: number;
  readonly samples: Samples;
}

/** Returns the periods that have data, oldest first. */
export function periods(store: MetricStore, metric: Metric, { from, to, periodMillis }: Span): Period[] {
  const result: Period[] = [];
  const retention = store.retention();
  const first = Math.floor(from / MINUTE_MILLIS) * MINUTE_MILLIS;
  // A span of years would otherwise be walked through minute by minute.
  const skipped = Math.max(0, Math.floor((retention.from - first) / periodMillis));
  const end = Math.min(to, retention.to);
  for (let start = first + skipped * periodMillis; start < end; start += periodMillis) {
    const samples = store.samples(metric, start, start + periodMillis);
    if (samples) result.push({ from: start, samples });
  }
  return result;
}
