/** What tells the metrics of one domain from all others. Alarms and functions take it from here, so that they agree. */
export interface MetricScope {
  /** Stages may share an account, and none is to hear the alarms of another. */
  readonly namespace: string;
  /** Powertools gives every metric the name of the service as a dimension. */
  readonly dimensions: { readonly service: string };
}

/** Counts what fails and is no error to Lambda: answers of 500 and more, and messages that go back to their queue. */
export const FAULTS = 'Faults';

export const metricScope = (stage: string, service: string): MetricScope => ({
  namespace: `FiveServices/${stage}`,
  dimensions: { service },
});

/** The variables by which Powertools learns the scope of a function's metrics, and the service named in its log lines. */
export const scopeVariables = ({ namespace, dimensions: { service } }: MetricScope) => ({
  POWERTOOLS_METRICS_NAMESPACE: namespace,
  POWERTOOLS_SERVICE_NAME: service,
});
