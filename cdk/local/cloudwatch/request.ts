/** The members of CloudWatch's requests. What is not listed for an operation is refused, because it would not be done. */
import { z } from 'zod';
import { STATISTICS } from './metric.ts';

const ALARMS_MAX = 100;
const QUERIES_MAX = 500;

const name = z.string().min(1).max(255);
const dimensions = z
  .array(z.strictObject({ Name: name, Value: z.string().min(1).max(1024) }))
  .max(30)
  .default([]);
/** Seconds since 1970, as JSON carries times; given on in milliseconds. */
const time = z.number().transform((seconds) => seconds * 1000);
/** Buckets are one minute. */
const period = z.int().min(60).multipleOf(60);
const statistic = z.enum(STATISTICS);
const state = z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']);

const query = z.strictObject({
  Id: z.string().regex(/^[a-z]\w*$/),
  MetricStat: z.strictObject({
    Metric: z.strictObject({ Namespace: name, MetricName: name, Dimensions: dimensions }),
    Period: period,
    Stat: statistic,
  }),
  Label: z.string().optional(),
  ReturnData: z.boolean().default(true),
});
export type Query = z.output<typeof query>;

export const REQUESTS = {
  DescribeAlarms: z.strictObject({
    AlarmNames: z.array(name).max(ALARMS_MAX).optional(),
    AlarmNamePrefix: name.optional(),
    AlarmTypes: z.array(z.enum(['MetricAlarm', 'CompositeAlarm', 'LogAlarm'])).default(['MetricAlarm']),
    StateValue: state.optional(),
    MaxRecords: z.int().min(1).max(ALARMS_MAX).default(50),
    NextToken: z.string().default(''),
  }),
  SetAlarmState: z.strictObject({
    AlarmName: name,
    StateValue: state,
    StateReason: z.string().max(1023),
    StateReasonData: z.string().optional(),
  }),
  ListMetrics: z.strictObject({
    Namespace: name.optional(),
    MetricName: name.optional(),
    Dimensions: z.array(z.strictObject({ Name: name, Value: z.string().optional() })).default([]),
    // All stored data is about that recent.
    RecentlyActive: z.literal('PT3H').optional(),
    NextToken: z.string().default(''),
  }),
  GetMetricStatistics: z.strictObject({
    Namespace: name,
    MetricName: name,
    Dimensions: dimensions,
    StartTime: time,
    EndTime: time,
    Period: period,
    Statistics: z.array(statistic).min(1),
  }),
  GetMetricData: z.strictObject({
    MetricDataQueries: z.array(query).max(QUERIES_MAX),
    StartTime: time,
    EndTime: time,
    ScanBy: z.enum(['TimestampDescending', 'TimestampAscending']).default('TimestampDescending'),
  }),
};
