/** Alarms on metrics. */
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { flag, ignored, numeric } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { type AlarmRule, COMPARISONS, rangeOf } from './alarm-rule.ts';
import type { AlarmDefinition, Alarms, MetricStat } from './alarms.ts';
import { STATISTICS, STATS, type Statistic } from './metric.ts';
import { parseExpression } from './metric-math.ts';
import { RETENTION_MINUTES } from './metric-store.ts';

const texts = z.array(z.string()).default([]);
const statistic = z.enum(STATISTICS, { error: `the local cloud knows the statistics ${STATISTICS.join(', ')}` });
const wholeMinutes = numeric.refine((seconds) => seconds > 0 && seconds % 60 === 0, {
  error: 'the local cloud keeps one bucket a minute: a period is a multiple of 60 s',
});
const Dimensions = z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]);

const Query = z.strictObject({
  Id: z.string(),
  MetricStat: z
    .strictObject({
      Metric: z.strictObject({ Namespace: z.string(), MetricName: z.string(), Dimensions }),
      Period: wholeMinutes,
      Stat: z.enum(STATS, { error: `the local cloud knows the statistics ${STATS.join(', ')}` }),
    })
    .optional(),
  Expression: z.string().optional(),
  Period: wholeMinutes.optional(),
  ReturnData: flag.default(true),
  Label: ignored,
});
type Query = z.output<typeof Query>;

const AlarmProperties = z.strictObject({
  AlarmName: z.string().optional(),
  AlarmDescription: z.string().optional(),
  // A topic does nothing here: alarms are printed on the terminal.
  ActionsEnabled: flag.default(true),
  AlarmActions: texts,
  OKActions: texts,
  InsufficientDataActions: texts,
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions,
  Statistic: statistic.optional(),
  Period: wholeMinutes.optional(),
  Metrics: z.array(Query).optional(),
  EvaluationPeriods: numeric,
  DatapointsToAlarm: numeric.optional(),
  Threshold: numeric,
  ComparisonOperator: z.enum(Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[]),
  TreatMissingData: z.enum(['missing', 'ignore', 'breaching', 'notBreaching']).default('missing'),
  Tags: ignored,
});
type AlarmProperties = z.output<typeof AlarmProperties>;

export function cloudwatchResources({ region, accountId }: CloudContext, alarms: Alarms): ResourceFamily {
  const alarm = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, AlarmProperties);
    const name = properties.AlarmName ?? physicalName('alarm', resource);
    const arn = `arn:aws:cloudwatch:${region}:${accountId}:alarm:${name}`;
    const measured = measuredBy(properties);
    const rule = ruleOf(properties);
    const minutes = (rangeOf(rule) * measured.periodSeconds) / 60;
    if (minutes > RETENTION_MINUTES) {
      throw new Error(
        `The alarm looks back ${minutes} minutes, and the local cloud keeps metrics for ${RETENTION_MINUTES}.`,
      );
    }
    alarms.add({
      name,
      arn,
      path: resource.path,
      title: properties.AlarmName ?? resource.path,
      description: properties.AlarmDescription,
      rule,
      ...measured,
      shown: shownMembers(properties),
    });
    return { ref: name, attributes: { Arn: arn } };
  };

  return {
    types: { 'AWS::CloudWatch::Alarm': alarm },
    start: () => alarms.start(),
    stop: () => Promise.resolve(alarms.stop()),
  };
}

function ruleOf(properties: AlarmProperties): AlarmRule {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = properties;
  if (DatapointsToAlarm > EvaluationPeriods) throw new Error('DatapointsToAlarm is more than EvaluationPeriods.');
  return {
    evaluationPeriods: EvaluationPeriods,
    datapointsToAlarm: DatapointsToAlarm,
    threshold: properties.Threshold,
    comparison: properties.ComparisonOperator,
    treatMissingData: properties.TreatMissingData,
  };
}

type Measured = Pick<AlarmDefinition, 'metrics' | 'periodSeconds' | 'value'>;

function measuredBy({ Namespace, MetricName, Dimensions, Statistic, Period, Metrics }: AlarmProperties): Measured {
  if (Metrics) return measuredByQueries(Metrics);
  if (Namespace === undefined || MetricName === undefined || Statistic === undefined || Period === undefined) {
    throw new Error('An alarm needs Namespace, MetricName, Statistic and Period, or Metrics.');
  }
  const stat = metricStat({ Metric: { Namespace, MetricName, Dimensions }, Stat: Statistic });
  return { metrics: new Map([['metric', stat]]), periodSeconds: Period, value: (values) => values.get('metric') };
}

/** Metrics, and one of them or one expression over them that is compared with the threshold. */
function measuredByQueries(queries: readonly Query[]): Measured {
  const metrics = new Map(
    queries.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, metricStat(MetricStat)] as const] : [])),
  );
  const returned = queries.filter(({ ReturnData }) => ReturnData);
  const [only] = returned;
  const expressions = queries.filter(({ Expression }) => Expression !== undefined);
  if (!only || returned.length > 1 || expressions.some((query) => query !== only)) {
    throw new Error(
      'The local cloud evaluates alarms on one returned metric, or on one returned expression over metrics.',
    );
  }
  const periods = new Set(queries.flatMap(({ Period, MetricStat }) => Period ?? MetricStat?.Period ?? []));
  const [periodSeconds] = periods;
  if (periodSeconds === undefined || periods.size > 1) throw new Error('All metrics of an alarm need the same Period.');
  const value =
    only.Expression === undefined
      ? (values: ReadonlyMap<string, number | undefined>) => values.get(only.Id)
      : parseExpression(only.Expression);
  return { metrics, periodSeconds, value };
}

function metricStat({
  Metric,
  Stat,
}: {
  Metric: NonNullable<Query['MetricStat']>['Metric'];
  Stat: Statistic;
}): MetricStat {
  const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));
  return { metric: { namespace: Metric.Namespace, name: Metric.MetricName, dimensions }, statistic: Stat };
}

function shownMembers(properties: AlarmProperties): Record<string, unknown> {
  const { ActionsEnabled, AlarmActions, OKActions, InsufficientDataActions, Metrics } = properties;
  const { Namespace, MetricName, Dimensions, Statistic, Period } = properties;
  return {
    ActionsEnabled,
    AlarmActions,
    OKActions,
    InsufficientDataActions,
    ...(Metrics ? { Metrics } : { Namespace, MetricName, Dimensions, Statistic, Period }),
  };
}
