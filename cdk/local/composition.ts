/** The parts of a local cloud, put together in memory before any resource is made. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';
import type { CloudContext } from './cloud-context.ts';
import { inertResources } from './cloudformation/inert-resources.ts';
import type { ResourceFamily } from './cloudformation/resource-family.ts';
import { cloudwatchResources } from './cloudwatch/alarm-resources.ts';
import { Alarms } from './cloudwatch/alarms.ts';
import { CloudWatchService } from './cloudwatch/cloudwatch-service.ts';
import { FunctionMetrics } from './cloudwatch/function-metrics.ts';
import { metricFilterResources } from './cloudwatch/metric-filter-resources.ts';
import type { MetricStore } from './cloudwatch/metric-store.ts';
import { cognitoResources } from './cognito/user-pool-resources.ts';
import { dynamodbResources } from './dynamodb/table-resources.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { type EventSourceOptions, eventSourceMappings } from './event-sources/mapping-resources.ts';
import { Deliveries } from './events/deliveries.ts';
import { EventBuses } from './events/event-buses.ts';
import { EventsService } from './events/events-service.ts';
import { ObjectAnnouncements } from './events/object-announcements.ts';
import { eventResources } from './events/rule-resources.ts';
import { Schedules } from './events/schedules.ts';
import { Targets } from './events/targets.ts';
import { httpApiResources } from './http-api/api-resources.ts';
import type { HttpServer } from './http-api/http-server.ts';
import { Permissions } from './iam/permissions.ts';
import { iamResources } from './iam/role-resources.ts';
import { Roles } from './iam/roles.ts';
import { secretIn } from './iam/secret.ts';
import { kmsResources } from './kms/key-resources.ts';
import { ASYNC_RETRY_DELAYS_SECONDS, AsyncInvocations } from './lambda/async-invocations.ts';
import { FunctionLogs } from './lambda/function-log.ts';
import { lambdaResources } from './lambda/function-resources.ts';
import { Functions } from './lambda/functions.ts';
import { LambdaService } from './lambda/lambda-service.ts';
import { logGroupResources } from './logs/log-group-resources.ts';
import { LogGroups } from './logs/log-groups.ts';
import { LogsService } from './logs/logs-service.ts';
import { s3Resources } from './s3/bucket-resources.ts';
import { secretsManagerResources } from './secretsmanager/secret-resources.ts';
import { sesResources } from './ses/identity-resources.ts';
import { Outbox } from './ses/outbox.ts';
import { snsResources } from './sns/topic-resources.ts';
import { Topics } from './sns/topics.ts';
import { sqsResources } from './sqs/queue-resources.ts';
import { stepFunctionsResources } from './stepfunctions/machine-resources.ts';
import { StepFunctions } from './stepfunctions/step-functions.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

export interface CompositionOptions extends Partial<EventSourceOptions> {
  /** The folder of the state. @default null: nothing is stored */
  readonly dataDir?: string | null;
  /** The clock of everything that waits, and of functions, which read it at each invocation. @default the machine's */
  readonly clock?: Clock;
  /** Invocations at the same time before functions are throttled. @default 1000, as on AWS */
  readonly concurrency?: number;
  /** Functions in memory at the same time; more invocations wait. @default 32 */
  readonly threads?: number;
  /**
   * The seconds for which the last copy of a function stays without an invocation. @default 75: functions that run
   * every minute stay warm
   */
  readonly idleSeconds?: number;
  /** The seconds for which its other copies stay. @default 15 */
  readonly spareSeconds?: number;
  /** Waits before asynchronous invocations are tried again. @default 60 and 120, as on AWS */
  readonly asyncRetryDelaysSeconds?: readonly number[];
  /** Reports what functions log as errors too. @default false */
  readonly echoErrors?: boolean;
  /** Receives one plain line for each failure that no caller sees. @default discards it */
  readonly report?: (line: string) => void;
}

/** The parts that are open before the rest is composed. */
export interface Foundations {
  readonly server: HttpServer;
  readonly endpoint: Endpoint;
  readonly metrics: MetricStore;
  readonly clock: Clock;
  readonly activity: Activity;
}

interface Parts {
  readonly asynchronous: AsyncInvocations;
  readonly deliveries: Deliveries;
  readonly buses: EventBuses;
  readonly schedules: Schedules;
  readonly alarms: Alarms;
  readonly outbox: Outbox;
  readonly topics: Topics;
  readonly stepFunctions: StepFunctions;
}

export interface Composition extends Parts {
  readonly cloud: CloudContext;
  readonly families: readonly ResourceFamily[];
  readonly logs: FunctionLogs;
}

export function compose(options: CompositionOptions, foundations: Foundations): Composition {
  const { endpoint, metrics, server, clock } = foundations;
  const dataDir = options.dataDir ?? null;
  const groups = new LogGroups(clock.now);
  const logs = new FunctionLogs({
    folder: dataDir === null ? null : join(dataDir, 'logs'),
    onError: options.echoErrors ? options.report : undefined,
    metrics,
    groups,
  });
  const cloud = contextOf(options, foundations, logs);
  const parts = partsOf(options, cloud, logs);
  const alarmArnPrefix = `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:`;
  endpoint.add(new CloudWatchService({ store: metrics, alarms: parts.alarms, alarmArnPrefix }));
  const groupArnPrefix = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:`;
  endpoint.add(new LogsService({ groups, queries: new Map(), accountId: ACCOUNT, groupArnPrefix }));
  endpoint.add(new EventsService(parts.buses));
  endpoint.add(new LambdaService(cloud.functions, parts.asynchronous));
  return {
    cloud,
    families: [
      logGroupResources(cloud, groups),
      ...familiesOf(options, { cloud, server, logs, ...parts }),
      metricFilterResources(logs),
    ],
    logs,
    ...parts,
  };
}

function contextOf(options: CompositionOptions, foundations: Foundations, logs: FunctionLogs): CloudContext {
  const { server, endpoint, metrics, clock, activity } = foundations;
  const dataDir = options.dataDir ?? null;
  const access = { endpoint: endpoint.url, region: REGION, credentials: endpoint.root };
  const roles = new Roles(secretIn(dataDir));
  return {
    region: REGION,
    accountId: ACCOUNT,
    dataDir,
    clock,
    now: clock.now,
    activity,
    endpoint,
    apiUrl: `http://localhost:${server.port}`,
    clients: { dynamodb: new DynamoDBClient(access), s3: new S3Client(access), sqs: new SQSClient(access) },
    roles,
    permissions: new Permissions(endpoint, ACCOUNT),
    functions: new Functions({
      region: REGION,
      endpoint,
      roles,
      logs,
      metrics: new FunctionMetrics(metrics),
      concurrency: options.concurrency ?? 1000,
      offsetMillis: () => clock.millis() - Date.now(),
      activity,
      threads: options.threads ?? 32,
      starting: availableParallelism(),
      idleSeconds: options.idleSeconds ?? 75,
      spareSeconds: options.spareSeconds ?? 15,
    }),
    targets: new Targets(),
    metrics,
    report: options.report ?? (() => undefined),
  };
}

function partsOf(options: CompositionOptions, cloud: CloudContext, logs: FunctionLogs): Parts {
  const { endpoint, functions, targets, metrics, dataDir, clock, activity, now, report } = cloud;
  const deliveries = new Deliveries({ targets, dataDir, clock, activity, report });
  return {
    asynchronous: new AsyncInvocations({
      functions,
      dataDir,
      retryDelaysSeconds: options.asyncRetryDelaysSeconds ?? ASYNC_RETRY_DELAYS_SECONDS,
      clock,
      activity,
      report,
    }),
    deliveries,
    buses: new EventBuses({ region: REGION, accountId: ACCOUNT, deliveries, now }),
    schedules: new Schedules({ file: dataDir === null ? null : join(dataDir, 'schedules.json'), clock }),
    alarms: new Alarms({ store: metrics, measure: (at) => endpoint.measureQueues(at), clock, report }),
    outbox: new Outbox(dataDir === null ? null : join(dataDir, 'mail')),
    topics: new Topics(),
    stepFunctions: new StepFunctions(cloud, logs),
  };
}

interface FamilyParts extends Parts {
  readonly cloud: CloudContext;
  readonly server: HttpServer;
  readonly logs: FunctionLogs;
}

/** Returns the families in the order in which they start. They stop all at once. */
function familiesOf(
  options: CompositionOptions,
  {
    cloud,
    server,
    logs,
    asynchronous,
    buses,
    deliveries,
    schedules,
    alarms,
    outbox,
    topics,
    stepFunctions,
  }: FamilyParts,
): ResourceFamily[] {
  return [
    inertResources(cloud),
    iamResources(cloud),
    cloudwatchResources(cloud, alarms),
    dynamodbResources(cloud),
    s3Resources(cloud, new ObjectAnnouncements(cloud.endpoint, buses)),
    sqsResources(cloud),
    lambdaResources(cloud, asynchronous),
    cognitoResources(cloud, outbox),
    kmsResources(cloud),
    secretsManagerResources(cloud),
    sesResources(cloud, outbox),
    snsResources(cloud, topics),
    stepFunctionsResources(cloud, stepFunctions),
    eventResources(cloud, { buses, deliveries, schedules }),
    httpApiResources(cloud, server, logs),
    eventSourceMappings(cloud, {
      queueConcurrency: options.queueConcurrency ?? 10,
      failedMessagesReturnAfterSeconds: options.failedMessagesReturnAfterSeconds ?? null,
    }),
  ];
}
