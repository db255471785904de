import { Metrics } from '@aws-lambda-powertools/metrics';
import { variable } from '#shared/env';
import { log, logFields } from '#shared/log';
import { FAULTS, metricScope } from '#shared/metric-scope';
import { isoTime } from '#shared/timestamp';

export interface MetricData {
  /** Besides the service, which every metric has. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly values: Readonly<
    Record<string, { readonly value: number; readonly unit: 'Count' | 'Milliseconds' | 'Seconds' }>
  >;
  /** Facts for the log line only. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

const newMetrics = () =>
  new Metrics({
    // Outside of Lambda nothing is set.
    namespace: variable('POWERTOOLS_METRICS_NAMESPACE') ?? metricScope('none', 'none').namespace,
    logger: log,
  });

/** One log line that CloudWatch also reads as metrics (embedded metric format): no call, no permission, no wait. */
export function metric(message: string, { dimensions = {}, values, facts = {} }: MetricData, now: number): void {
  // A separate instance: what the invocation counts in the meantime must not get these dimensions.
  const line = newMetrics().setTimestamp(now);
  for (const [name, value] of Object.entries(dimensions)) line.addDimension(name, value);
  for (const [name, { value, unit }] of Object.entries(values)) line.addMetric(name, unit, value);
  publish(line, { timestamp: isoTime(now), message, ...facts });
}

const counted = newMetrics();

/**
 * Counts a failure that Lambda does not see, because the function itself succeeds: an answer of 500, a message returned
 * to its queue.
 */
export function countFault(): void {
  counted.addMetric(FAULTS, 'Count', 1);
}

/** Publishes what the invocation has counted. */
export function publishCounts(): void {
  if (counted.hasStoredMetrics()) publish(counted, { message: 'counted' });
}

function publish(metrics: Metrics, facts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries({ level: 'INFO', ...logFields(), ...facts })) {
    metrics.addMetadata(name, value);
  }
  metrics.publishStoredMetrics();
}
