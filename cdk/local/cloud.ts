/** The local cloud: a synthesized assembly, running on this machine. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type AssemblyStack, readAssembly } from './assembly/assembly.ts';
import type { CloudContext } from './cloud-context.ts';
import { CloudFormationService } from './cloudformation.ts';
import { Alarms, type AlarmView } from './cloudwatch/alarms.ts';
import { CloudWatchService } from './cloudwatch/cloudwatch-service.ts';
import { FunctionMetrics } from './cloudwatch/function-metrics.ts';
import { MetricStore } from './cloudwatch/metric-store.ts';
import type { DynamoDbEngine } from './dynamodb/engine-choice.ts';
import { type Credentials, type Endpoint, startEndpoint } from './endpoint.ts';
import { Deliveries } from './events/deliveries.ts';
import { EventBuses } from './events/event-buses.ts';
import { EventsService } from './events/events-service.ts';
import { ObjectAnnouncements } from './events/object-announcements.ts';
import { Schedules } from './events/schedules.ts';
import { Targets } from './events/targets.ts';
import { ASYNC_RETRY_DELAYS_SECONDS, AsyncInvocations } from './functions/async-invocations.ts';
import type { Faults } from './functions/faults.ts';
import { FunctionLogs, type LogLine } from './functions/function-log.ts';
import { Functions } from './functions/functions.ts';
import { HttpServer } from './http-api/http-server.ts';
import { TokenIssuers } from './http-api/jwt-authorizer.ts';
import { LambdaService } from './lambda-api.ts';
import { cloudwatchResources } from './resources/cloudwatch.ts';
import { cognitoResources } from './resources/cognito.ts';
import { type DeployedStack, deploy } from './resources/deploy.ts';
import { dynamodbResources } from './resources/dynamodb.ts';
import { type EventSourceOptions, eventSourceMappings } from './resources/event-source-mapping.ts';
import { eventResources } from './resources/events.ts';
import type { ResourceFamily } from './resources/family.ts';
import { httpApiResources } from './resources/http-api.ts';
import { iamResources } from './resources/iam.ts';
import { inertResources } from './resources/inert.ts';
import { kmsResources } from './resources/kms.ts';
import { lambdaResources } from './resources/lambda.ts';
import { Permissions } from './resources/permissions.ts';
import { Roles } from './resources/roles.ts';
import { s3Resources } from './resources/s3.ts';
import { sqsResources } from './resources/sqs.ts';
import { secretIn } from './secret.ts';

export interface CloudOptions extends Partial<EventSourceOptions> {
  /** The folder that `cdk synth` wrote. */
  readonly assemblyDir: string;
  /** Of the HTTP API. @default a free one */
  readonly port?: number;
  /** Of the AWS endpoint. @default a free one */
  readonly awsPort?: number;
  /** Where state is kept. @default null: nowhere */
  readonly dataDir?: string | null;
  readonly dynamodb?: DynamoDbEngine;
  /** The clock of schedules, expiry and tokens, and of functions, which look at it when they are called. */
  readonly now?: () => Date;
  /** Invocations at the same time before functions are throttled. @default 1000, as on AWS */
  readonly concurrency?: number;
  /** Functions in memory at the same time; more invocations wait. @default 32 */
  readonly threads?: number;
  /** How long the last copy of a function stays when nobody calls it. @default 75: functions of every minute stay warm */
  readonly idleSeconds?: number;
  /** How long its other copies stay. @default 15 */
  readonly spareSeconds?: number;
  /** Waits before asynchronous invocations are tried again. @default 60 and 120, as on AWS */
  readonly asyncRetryDelaysSeconds?: readonly number[];
  /** Shows the errors of functions on stderr. @default false */
  readonly echoErrors?: boolean;
  /** Hears in plain lines what went wrong beside the callers. @default nobody */
  readonly report?: (line: string) => void;
}

export interface Cloud {
  readonly apiUrl: string;
  readonly awsUrl: string;
  readonly region: string;
  /** Of the account's owner. */
  readonly credentials: Credentials;
  readonly stacks: readonly DeployedStack[];
  /** Of all stacks, by key. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly faults: Faults;
  /** Asynchronous invocations and deliveries that were accepted and are not done. */
  readonly pendingEvents: number;
  /** The name of the function of which this is the name or a part of the construct's path. */
  functionName(part: string): string;
  /** What a function printed last; by its name or a part of its construct's path. */
  logsOf(functionName: string): readonly LogLine[];
  /** Runs the schedules that are due by the clock; their names. It also happens every second. */
  tick(): string[];
  /** Runs a schedule now; by its name or a part of its construct's path. */
  runSchedule(name: string): void;
  /** Deletes what has expired. */
  sweep(): Promise<void>;
  /** As the last evaluation left them. */
  alarms(): AlarmView[];
  /** Evaluates all alarms as if the minute under way ended now. It also happens at the end of every minute. */
  evaluateAlarms(): void;
  /**
   * Refuses every AWS call of the function's role, until `allow`. By the function's name or a part of its construct's
   * path; functions that share the role share the loss.
   */
  denyAll(functionName: string): void;
  allow(functionName: string): void;
  /** Takes nothing new, lets functions finish for at most five seconds, and keeps the rest for the next start. */
  readonly close: () => Promise<void>;
}

const REGION = 'us-east-1';
const ACCOUNT = '000000000000';
const GRACE_MILLIS = 5000;

export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const stacks = readAssembly(options.assemblyDir);
  const opened: (() => Promise<void>)[] = [];
  try {
    return await start(options, stacks, opened);
  } catch (error) {
    for (const close of opened.reverse()) await close();
    throw error;
  }
}

async function start(
  options: CloudOptions,
  assembly: readonly AssemblyStack[],
  opened: (() => Promise<void>)[],
): Promise<Cloud> {
  const now = options.now ?? (() => new Date());
  const server = await HttpServer.listen(options.port ?? 0, now);
  opened.push(() => server.close(0));
  const metrics = new MetricStore(now);
  const endpoint = await startEndpoint({
    port: options.awsPort ?? 0,
    dataDir: options.dataDir ?? null,
    region: REGION,
    accountId: ACCOUNT,
    ...(options.dynamodb && { dynamodb: options.dynamodb }),
    metrics,
    now,
  });
  opened.push(() => endpoint.close());

  const { cloud, families, logs, schedules, asynchronous, deliveries, alarms } = compose(options, {
    server,
    endpoint,
    metrics,
    now,
  });
  opened.push(() => cloud.functions.close(0));
  const stop = () => Promise.all(families.map(async (family) => family.stop?.()));
  opened.push(async () => void (await stop()));
  const stacks = await deploy({
    stacks: assembly,
    provisions: Object.assign({}, ...families.map(({ types }) => types)),
    pseudoParameters: {
      'AWS::AccountId': ACCOUNT,
      'AWS::Region': REGION,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
    },
    localized: localizing(cloud.apiUrl),
  });
  endpoint.add(new CloudFormationService(stacks, now()));
  cloud.roles.register(endpoint);
  for (const family of families) await family.start?.();

  return {
    apiUrl: cloud.apiUrl,
    awsUrl: endpoint.url,
    region: REGION,
    credentials: endpoint.root,
    stacks,
    outputs: Object.fromEntries(stacks.flatMap(({ outputs }) => outputs.map(({ key, value }) => [key, value]))),
    faults: cloud.functions.faults,
    get pendingEvents() {
      return asynchronous.size + deliveries.size;
    },
    functionName: (part) => cloud.functions.named(part).name,
    logsOf: (name) => logs.linesOf(cloud.functions.named(name).name),
    tick: () => schedules.tick(),
    runSchedule: (name) => schedules.run(name),
    sweep: () => endpoint.sweep(),
    alarms: () => alarms.views(),
    evaluateAlarms: () => alarms.evaluate(),
    denyAll: (name) => cloud.roles.suspend(endpoint, cloud.functions.named(name).roleArn),
    allow: (name) => cloud.roles.restore(endpoint, cloud.functions.named(name).roleArn),
    async close() {
      const end = Date.now() + GRACE_MILLIS;
      const quiet = Promise.all([server.close(GRACE_MILLIS), stop()]);
      // What still runs then is cut off, so that those who wait for it come to an end.
      await Promise.race([quiet, wait(GRACE_MILLIS, undefined, { ref: false })]);
      await cloud.functions.close(Math.max(0, end - Date.now()));
      await quiet;
      await endpoint.close();
    },
  };
}

interface Parts {
  readonly server: HttpServer;
  readonly endpoint: Endpoint;
  readonly metrics: MetricStore;
  readonly now: () => Date;
}

/** Everything in memory, before any resource is made. */
function compose(options: CloudOptions, { server, endpoint, metrics, now }: Parts) {
  const dataDir = options.dataDir ?? null;
  const report = options.report ?? (() => undefined);
  const access = { endpoint: endpoint.url, region: REGION, credentials: endpoint.root };
  const roles = new Roles(secretIn(dataDir));
  const permissions = new Permissions(endpoint, ACCOUNT);
  const targets = new Targets();
  const logs = new FunctionLogs({
    folder: dataDir === null ? null : join(dataDir, 'logs'),
    echoErrors: options.echoErrors ?? false,
    metrics,
  });
  const functions = new Functions({
    region: REGION,
    endpoint,
    roles,
    logs,
    metrics: new FunctionMetrics(metrics),
    concurrency: options.concurrency ?? 1000,
    aheadMillis: () => (options.now ? options.now().getTime() - Date.now() : 0),
    threads: options.threads ?? 32,
    starting: availableParallelism(),
    idleSeconds: options.idleSeconds ?? 75,
    spareSeconds: options.spareSeconds ?? 15,
  });
  const cloud: CloudContext = {
    region: REGION,
    accountId: ACCOUNT,
    dataDir,
    now,
    endpoint,
    apiUrl: `http://localhost:${server.port}`,
    clients: { dynamodb: new DynamoDBClient(access), s3: new S3Client(access), sqs: new SQSClient(access) },
    roles,
    permissions,
    functions,
    targets,
    metrics,
    report,
  };
  const asynchronous = new AsyncInvocations({
    functions,
    targets,
    dataDir,
    retryDelaysSeconds: options.asyncRetryDelaysSeconds ?? ASYNC_RETRY_DELAYS_SECONDS,
    now,
    report,
  });
  const deliveries = new Deliveries({ targets, dataDir, now, report });
  const buses = new EventBuses({ region: REGION, accountId: ACCOUNT, deliveries, targets, now });
  const schedules = new Schedules({ file: dataDir === null ? null : join(dataDir, 'schedules.json'), now });
  const issuers = new TokenIssuers();
  const alarms = new Alarms({ store: metrics, measure: (at) => endpoint.measureQueues(at), now, report });
  const alarmArnPrefix = `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:`;
  endpoint.add(new CloudWatchService({ store: metrics, alarms, alarmArnPrefix }));
  endpoint.add(new EventsService(buses));
  endpoint.add(new LambdaService(functions, asynchronous));
  const families: ResourceFamily[] = [
    inertResources(cloud),
    iamResources(cloud),
    cloudwatchResources(cloud, alarms),
    dynamodbResources(cloud),
    s3Resources(cloud, new ObjectAnnouncements(endpoint, buses)),
    sqsResources(cloud),
    lambdaResources(cloud, asynchronous),
    cognitoResources(cloud, issuers),
    kmsResources(cloud),
    eventResources(cloud, { buses, deliveries, schedules }),
    httpApiResources(cloud, { server, issuers }),
    eventSourceMappings(cloud, {
      queueConcurrency: options.queueConcurrency ?? 10,
      failedMessagesReturnAfterSeconds: options.failedMessagesReturnAfterSeconds ?? null,
    }),
  ];
  return { cloud, families, logs, schedules, asynchronous, deliveries, alarms };
}

/** Where AWS would serve the API, the local one does. */
function localizing(apiUrl: string): (value: unknown) => unknown {
  const onAws = new RegExp(`https://[a-z0-9]{10}\\.execute-api\\.${REGION}\\.amazonaws\\.com`, 'g');
  const localized = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(onAws, apiUrl);
    if (Array.isArray(value)) return value.map(localized);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, localized(inner)]));
  };
  return localized;
}
