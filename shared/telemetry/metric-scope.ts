/** The namespace and dimension of a domain's metrics, in one place so that alarms and functions agree. */
export interface MetricScope {
  /** Stages may share an account, and the faults of one must not set off the alarms of another. */
  readonly namespace: string;
  /** Powertools adds the name of the service to every metric as a dimension. */
  readonly dimensions: { readonly service: string };
}

/** Counts failures that Lambda does not see: answers of 500 and more, and messages that go back to their queue. */
export const FAULTS = 'Faults';

/** Counts failures of function instances that have served a thousand calls without one. No alarm watches them. */
export const STRAY_FAULTS = 'StrayFaults';

/** Counts calls of tables that DynamoDB throttled, retried ones too: of all domains together. */
export const TABLE_THROTTLES = 'TableThrottles';
export const ALL_DOMAINS = 'all';

/** Counts metered requests to which the meter's table has not answered, whether or not it has counted them. */
export const METER_UNANSWERED = 'MeterUnanswered';

/** Counts sign-ins that the console refused: a wrong password or code, or too many attempts. */
export const REFUSED_SIGN_INS = 'RefusedSignIns';

/** Counts the messages that were given up and lie in dead-letter queues of any domain. */
export const DEAD_LETTERS = 'DeadLetters';

export const metricScope = (stage: string, service: string): MetricScope => ({
  namespace: `FiveServices/${stage}`,
  dimensions: { service },
});

/** The variables that give Powertools the scope of a function's metrics, and the service named in its log lines. */
export const scopeVariables = ({ namespace, dimensions: { service } }: MetricScope) => ({
  POWERTOOLS_METRICS_NAMESPACE: namespace,
  POWERTOOLS_SERVICE_NAME: service,
});
