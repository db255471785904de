import { Metric, type MetricProps } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type MetricScope, metricScope } from '#shared/telemetry/metric-scope';
import { stageOf } from '../../settings.ts';

export const metricScopeOf = (scope: Construct, service: string): MetricScope => metricScope(stageOf(scope), service);

type ServiceMetricProps = Omit<MetricProps, 'namespace' | 'dimensionsMap'> & {
  /** The domain whose functions write the metric. */
  readonly service: string;
};

/** A metric that the functions of a domain write themselves, summed up over all of them. */
export function serviceMetric(scope: Construct, { service, ...props }: ServiceMetricProps): Metric {
  const { namespace, dimensions } = metricScopeOf(scope, service);
  return new Metric({ ...props, namespace, dimensionsMap: dimensions });
}
