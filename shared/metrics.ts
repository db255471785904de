import { variable } from '#shared/env';

/** The namespace of our own metrics: stages may share an account, and none is to hear the alarms of another. */
export const metricsOf = (stage: string) => `FiveServices/${stage}`;

/** Requests answered with 500 and messages that failed: Lambda counts neither as an error. */
export const faultsMetric = ({ stage, domain }: { readonly stage: string; readonly domain: string }) => ({
  namespace: metricsOf(stage),
  metricName: 'Faults',
  dimensionsMap: { service: domain },
});

/** Every function of a stage is told the namespace by this variable. */
export const METRICS_VARIABLE = 'METRICS_NAMESPACE';

export interface MetricData {
  /** In the order of the metric's dimensions. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly values: Readonly<
    Record<string, { readonly value: number; readonly unit: 'Count' | 'Milliseconds' | 'Seconds' }>
  >;
  /** Facts that stand in the log line only. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** One log line that CloudWatch also reads as metrics (embedded metric format): no call, no permission, no wait. */
export function metric(message: string, { dimensions = {}, values, facts = {} }: MetricData, now: Date): void {
  const line = {
    timestamp: now.toISOString(),
    level: 'INFO',
    message,
    ...facts,
    ...dimensions,
    ...Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value])),
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: variable(METRICS_VARIABLE) ?? metricsOf('none'),
          Dimensions: [Object.keys(dimensions)],
          Metrics: Object.entries(values).map(([Name, { unit: Unit }]) => ({ Name, Unit })),
        },
      ],
    },
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
