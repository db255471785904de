/**
 * What a stage costs in a month in which nobody uses it, counted from its templates: list prices of us-east-1 in dollars,
 * without free tiers. Storage of empty tables and buckets, reads of a stream, rules of the default bus and an HTTP API
 * without requests cost nothing.
 */
import { PRICES } from './prices.ts';

/** The resources of a template, as CloudFormation has them. */
export interface BilledTemplate {
  readonly Resources: Readonly<Record<string, BilledResource>>;
}

interface BilledResource {
  readonly Type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
  readonly Properties?: Readonly<Record<string, any>>;
}

/** The work that functions do in each idle minute, which the templates do not state. */
export interface IdleWork {
  /** Read units of DynamoDB, of all schedules together, in a minute. */
  readonly readUnits: number;
  /** Write units, likewise. */
  readonly writeUnits: number;
  /** Requests to SQS, in a minute. */
  readonly queueRequests: number;
  /** Requests to SNS, in a minute. */
  readonly topicRequests: number;
}

export interface BillLine {
  readonly what: string;
  readonly quantity: number;
  readonly unit: string;
  readonly dollars: number;
}

const MONTH_HOURS = 730;
const MONTH_MINUTES = MONTH_HOURS * 60;
/** A function that is scheduled every minute and finds nothing to do is billed for about this long. */
const RUN_SECONDS = 0.1;
/** Lambda's start and report lines, and one line of the function's own. */
const RUN_LOG_GIGABYTES = 1_000 / 1e9;
/**
 * "Lambda starts processing five batches at a time" when messages come, so five long polls of 20 s are always open
 * (docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html).
 */
const POLLS_A_MINUTE = 5 * 3;

/**
 * The sweeper reads 16 shards of an index and counts two queues; four wakers and the watch read a list each. A query that
 * finds nothing, or little, is half a unit. The watch counts 17 queues of dead letters, and who is subscribed to
 * two topics, every three minutes; it and five schedules record
 * each run.
 */
export const IDLE_WORK: IdleWork = {
  readUnits: (16 + 5) / 2,
  writeUnits: 1 + 5,
  queueRequests: 2 + 17 / 3,
  topicRequests: 2 / 3,
};

const prices = PRICES.perUnit;

/** The monthly bill of an idle stage. Costs that neither the templates nor `idle` state are left out. */
export function idleBill(templates: readonly BilledTemplate[], idle: IdleWork): BillLine[] {
  const of = (type: string) => templates.flatMap((template) => resourcesOf(template, type));
  const polled = of('AWS::Lambda::EventSourceMapping').filter(({ StartingPosition }) => StartingPosition === undefined);
  return [
    line('Alarms', {
      unit: 'metrics',
      quantity: of('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsIn(alarm), 0),
      price: prices.alarmMetric,
    }),
    line('Polls of empty queues', {
      unit: 'requests',
      quantity: polled.length * POLLS_A_MINUTE * MONTH_MINUTES,
      price: prices.sqsRequest,
    }),
    line('Keys', { unit: 'keys', quantity: of('AWS::KMS::Key').length, price: prices.kmsKey }),
    line('Secrets', { unit: 'secrets', quantity: of('AWS::SecretsManager::Secret').length, price: prices.secret }),
    ...scheduleLines(
      templates.flatMap((template) => scheduledRuns(template)),
      idle,
    ),
  ];
}

function scheduleLines(runs: readonly ScheduledRun[], idle: IdleWork): BillLine[] {
  const total = (each: (run: ScheduledRun) => number) => runs.reduce((sum, run) => sum + each(run), 0);
  return [
    line('Schedules: time', {
      unit: 'GB-s',
      quantity: total(({ aMonth, gigabytes }) => aMonth * gigabytes * RUN_SECONDS),
      price: prices.lambdaGigabyteSecond,
    }),
    line('Schedules: logs', {
      unit: 'GB',
      quantity: total(({ aMonth }) => aMonth * RUN_LOG_GIGABYTES),
      price: prices.logGigabyte,
    }),
    line('Schedules: reads', {
      unit: 'units',
      quantity: idle.readUnits * MONTH_MINUTES,
      price: prices.dynamoDbReadUnit,
    }),
    line('Schedules: writes', {
      unit: 'units',
      quantity: idle.writeUnits * MONTH_MINUTES,
      price: prices.dynamoDbWriteUnit,
    }),
    line('Schedules: counting queues', {
      unit: 'requests',
      quantity: idle.queueRequests * MONTH_MINUTES,
      price: prices.sqsRequest,
    }),
    line('Schedules: looking at topics', {
      unit: 'requests',
      quantity: idle.topicRequests * MONTH_MINUTES,
      price: prices.snsRequest,
    }),
    line('Schedules: calls', { unit: 'calls', quantity: total(({ aMonth }) => aMonth), price: prices.lambdaRequest }),
    line('Schedules: traces', {
      unit: 'traces',
      quantity: total(({ aMonth, isTraced }) => (isTraced ? aMonth : 0)),
      price: prices.xrayTrace,
    }),
  ];
}

interface Charge {
  readonly unit: string;
  readonly quantity: number;
  readonly price: number;
}

const line = (what: string, { unit, quantity, price }: Charge): BillLine => ({
  what,
  quantity,
  unit,
  dollars: quantity * price,
});

export const dollarsOf = (bill: readonly BillLine[]): number => bill.reduce((sum, { dollars }) => sum + dollars, 0);

const resourcesOf = ({ Resources }: BilledTemplate, type: string) =>
  Object.values(Resources).flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : []));

/** Each metric of an expression is paid for, the expression is not. */
function metricsIn({ Metrics = [], MetricName }: NonNullable<BilledResource['Properties']>): number {
  const stats = (Metrics as readonly object[]).filter((one) => 'MetricStat' in one);
  return stats.length + Number(MetricName !== undefined);
}

interface ScheduledRun {
  readonly aMonth: number;
  readonly gigabytes: number;
  readonly isTraced: boolean;
}

function scheduledRuns(template: BilledTemplate): ScheduledRun[] {
  return resourcesOf(template, 'AWS::Events::Rule').flatMap(({ ScheduleExpression, Targets = [] }) =>
    ScheduleExpression === undefined
      ? []
      : (Targets as { Arn: { 'Fn::GetAtt': [string, string] } }[]).map(({ Arn }) => {
          const called = template.Resources[Arn['Fn::GetAtt'][0]]?.Properties ?? {};
          return {
            aMonth: timesAMonth(ScheduleExpression),
            gigabytes: called['MemorySize'] / 1_024,
            isTraced: called['TracingConfig']?.Mode === 'Active',
          };
        }),
  );
}

/** Returns how often a schedule of the service runs in a month: every minute, every hour, or once a day. */
function timesAMonth(expression: string): number {
  if (expression === 'rate(1 minute)') return MONTH_MINUTES;
  if (/^cron\(\d+ \d+ \* \* \? \*\)$/.test(expression)) return MONTH_HOURS / 24;
  if (/^cron\(\d+ \* \* \* \? \*\)$/.test(expression)) return MONTH_HOURS;
  throw new Error(`The bill does not know how often ${expression} is.`);
}
