import { Metrics } from '@aws-lambda-powertools/metrics';
import { variable } from '#shared/env';
import { isoTime } from '#shared/formats/timestamp';
import { log, logFields } from '#shared/telemetry/log';
import { ALL_DOMAINS, metricScope, TABLE_THROTTLES } from '#shared/telemetry/metric-scope';

export interface MetricData {
  /** Besides the service, which every metric has. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly values: Readonly<
    Record<string, { readonly value: number; readonly unit: 'Count' | 'Milliseconds' | 'Seconds' }>
  >;
  /** Facts for the log line only. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** @param serviceName the value of the dimension that every metric has. @default the domain of the function */
const newMetrics = (serviceName?: string) =>
  new Metrics({
    ...(serviceName !== undefined && { serviceName }),
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

/** One line with a value for each thing counted, and with no dimension but the service; no line if nothing is. */
export function countMetrics(counts: readonly (readonly [string, number])[], message = 'counted'): void {
  const [own, all] = [newMetrics(), newMetrics(ALL_DOMAINS)];
  for (const [name, count] of counts) {
    const line = name === TABLE_THROTTLES ? all : own;
    if (count > 0) line.addMetric(name, 'Count', count);
  }
  for (const line of [own, all]) if (line.hasStoredMetrics()) publish(line, { message });
}

function publish(metrics: Metrics, facts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries({ level: 'INFO', ...logFields(), ...facts })) {
    metrics.addMetadata(name, value);
  }
  metrics.publishStoredMetrics();
}
