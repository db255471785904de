/** Metrics that are counted from the lines of a log group. */
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import type { FunctionLogs } from '../lambda/function-log.ts';
import { parsePattern } from './filter-pattern.ts';

const FilterProperties = z.strictObject({
  FilterName: z.string().optional(),
  FilterPattern: z.string(),
  LogGroupName: z.string(),
  MetricTransformations: z.tuple([
    z.strictObject({
      MetricNamespace: z.string(),
      MetricName: z.string(),
      MetricValue: z.coerce.number({ error: 'the local cloud counts lines by a fixed number' }),
    }),
  ]),
});

export function metricFilterResources(logs: FunctionLogs): ResourceFamily {
  const metricFilter = (resource: DeclaredResource): Provisioned => {
    const { FilterPattern, LogGroupName, MetricTransformations } = propertiesOf(resource, FilterProperties);
    const [{ MetricNamespace: namespace, MetricName: name, MetricValue: value }] = MetricTransformations;
    logs.addFilter(LogGroupName, {
      matches: parsePattern(FilterPattern),
      metric: { namespace, name, dimensions: {} },
      value,
    });
    return { ref: physicalName('other', resource), attributes: {} };
  };
  return { types: { 'AWS::Logs::MetricFilter': metricFilter } };
}
