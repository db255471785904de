import { Metrics } from '@aws-lambda-powertools/metrics';
import { variable } from '#shared/env';
import { isoTime } from '#shared/formats/timestamp';
import { log, logFields } from '#shared/telemetry/log';
import { FAULTS, metricScope } from '#shared/telemetry/metric-scope';

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

/** One metric with a value for each failure, with no dimension but the service. */
export function faultMetric(count: number, message = 'counted'): void {
  const line = newMetrics();
  for (let fault = 0; fault < count; fault += 1) line.addMetric(FAULTS, 'Count', 1);
  publish(line, { message });
}

function publish(metrics: Metrics, facts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries({ level: 'INFO', ...logFields(), ...facts })) {
    metrics.addMetadata(name, value);
  }
  metrics.publishStoredMetrics();
}
