/** The local cloud: a synthesized assembly, running on this machine. */
import { setTimeout as wait } from 'node:timers/promises';
import { Activity } from './activity.ts';
import { type AssemblyStack, readAssembly } from './assembly/assembly.ts';
import type { AwsFailure } from './aws-failures/aws-failures.ts';
import type { Outage } from './aws-failures/outages.ts';
import { Clock } from './clock.ts';
import { CloudFormationService } from './cloudformation/cloudformation-service.ts';
import { type DeployedStack, deploy } from './cloudformation/deploy.ts';
import type { AlarmView } from './cloudwatch/alarms.ts';
import { MetricStore } from './cloudwatch/metric-store.ts';
import {
  ACCOUNT,
  type Composition,
  type CompositionOptions,
  compose,
  type Foundations,
  REGION,
} from './composition.ts';
import type { DynamoDbEngine } from './dynamodb/engine-choice.ts';
import { type Credentials, startEndpoint } from './endpoint/endpoint.ts';
import { HttpServer } from './http-api/http-server.ts';
import type { Faults } from './lambda/faults.ts';
import type { LogLine } from './lambda/function-log.ts';
import type { Mail } from './ses/outbox.ts';

export interface CloudOptions extends CompositionOptions {
  /** The folder that `cdk synth` wrote. */
  readonly assemblyDir: string;
  /** Values of the templates' parameters. @default their defaults */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The port of the HTTP API. @default a free one */
  readonly port?: number;
  /** The port of the AWS endpoint. @default a free one */
  readonly awsPort?: number;
  readonly dynamodb?: DynamoDbEngine;
  /** True if tables can be restored to an earlier time of this run. @default if LOCAL_RECOVERY is 1 */
  readonly remembersTables?: boolean;
  /** The ways in which calls fail as on AWS. @default those of LOCAL_AWS_LIKE in the environment, else none */
  readonly like?: ReadonlySet<AwsFailure>;
}

export interface Cloud {
  readonly apiUrl: string;
  readonly awsUrl: string;
  readonly region: string;
  /** The credentials of the account's owner. */
  readonly credentials: Credentials;
  readonly stacks: readonly DeployedStack[];
  /** The outputs of all stacks, by key. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly faults: Faults;
  /** Asynchronous invocations and deliveries that were accepted and are not done. */
  readonly pendingEvents: number;
  /** The name of the function of which this is the name or a part of the construct's path. */
  functionName(part: string): string;
  /** Returns the last lines that a function printed. The function is named by its name or a part of its construct's path. */
  logsOf(functionName: string): readonly LogLine[];
  /** Its time. A test may move it. */
  readonly clock: Clock;
  /** Resolves when no work is in progress: then nothing happens until a call arrives or the clock moves. */
  settled(): Promise<void>;
  /** Runs a schedule now; by its name or a part of its construct's path. */
  runSchedule(name: string): void;
  /** Disables a schedule, as the console of EventBridge can, or enables it again. */
  enableSchedule(name: string, isEnabled: boolean): void;
  /**
   * Stops schedules: from then on they run only by `runSchedule`, however far the clock is moved. Those with the part
   * `allBut` in the path of their construct go on.
   */
  stopSchedules(options?: { readonly allBut: string }): void;
  /** Deletes what has expired. */
  sweep(): Promise<void>;
  readonly metrics: MetricStore;
  /** Returns the alarms as the last evaluation left them. */
  alarms(): AlarmView[];
  /** Evaluates all alarms as if the minute under way ended now. It also happens at the end of every minute. */
  evaluateAlarms(): void;
  /** Returns the last thousand mails that were sent through SES in this run, the oldest first. */
  mails(): readonly Mail[];
  /** Sets for all mail addresses that topics have whether their owners have confirmed the subscription. @default they have not */
  confirmSubscriptions(isConfirmed: boolean): void;
  /**
   * Refuses every AWS call of the function's role, until `allow`. By the function's name or a part of its construct's
   * path; functions that share the role share the loss.
   */
  denyAll(functionName: string): void;
  allow(functionName: string): void;
  /** Makes calls of functions to an AWS service fail. @returns the end of the outage */
  fail(outage: Outage): () => void;
  /**
   * The next event runs the new code of these modules, such as `webhooks/rules/rules`; work in progress ends with the
   * old code.
   */
  reload(modules: readonly string[]): void;
  /** Accepts no new work, gives functions at most five seconds to finish, and saves the rest for the next start. */
  readonly close: () => Promise<void>;
}

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
  const foundations = await openFoundations(options, opened);
  const { endpoint } = foundations;
  const composition = compose(options, foundations);
  const { cloud, families, stepFunctions } = composition;
  opened.push(async () => stepFunctions.close());
  opened.push(() => cloud.functions.close(0));
  opened.push(() => stopAll(composition));
  const stacks = await deploy({
    stacks: assembly,
    provisions: Object.assign({}, ...families.map(({ types }) => types)),
    pseudoParameters: {
      'AWS::AccountId': ACCOUNT,
      'AWS::Region': REGION,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
    },
    parameters: options.parameters ?? {},
    localized: localizing({ apiUrl: cloud.apiUrl, awsUrl: endpoint.url }),
  });
  endpoint.add(new CloudFormationService(stacks, foundations.clock.now()));
  cloud.roles.register(endpoint);
  for (const family of families) await family.start?.();
  return running({ composition, foundations, stacks });
}

/** The two servers, which listen from here on, and the metrics that the endpoint reports to. */
async function openFoundations(options: CloudOptions, opened: (() => Promise<void>)[]): Promise<Foundations> {
  const clock = options.clock ?? new Clock();
  const activity = new Activity();
  const server = await HttpServer.listen(options.port ?? 0, clock.now);
  opened.push(() => server.close(0));
  const metrics = new MetricStore(clock.now);
  const endpoint = await startEndpoint({
    port: options.awsPort ?? 0,
    dataDir: options.dataDir ?? null,
    region: REGION,
    accountId: ACCOUNT,
    ...(options.dynamodb && { dynamodb: options.dynamodb }),
    ...(options.remembersTables !== undefined && { remembersTables: options.remembersTables }),
    ...(options.like && { like: options.like }),
    metrics,
    clock,
    activity,
  });
  opened.push(() => endpoint.close());
  server.onAnswer = () => endpoint.indexesCatchUp();
  return { server, endpoint, metrics, clock, activity };
}

interface Started {
  readonly composition: Composition;
  readonly foundations: Foundations;
  readonly stacks: readonly DeployedStack[];
}

function running({ composition, foundations, stacks }: Started): Cloud {
  const { cloud, logs, schedules, asynchronous, deliveries, alarms, outbox, topics } = composition;
  const { endpoint, clock, activity } = foundations;
  return {
    clock,
    async settled() {
      for (;;) {
        await activity.settled();
        if ((clock.nextAt ?? Number.POSITIVE_INFINITY) > clock.millis()) return;
        clock.runDue();
      }
    },
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
    runSchedule: (name) => schedules.run(name),
    enableSchedule: (name, isEnabled) => schedules.enable(name, isEnabled),
    stopSchedules: (options) => (options ? schedules.stopAllBut(options.allBut) : schedules.stop()),
    sweep: () => endpoint.sweep(),
    metrics: cloud.metrics,
    alarms: () => alarms.views(),
    evaluateAlarms: () => alarms.evaluate(),
    mails: () => outbox.mails,
    confirmSubscriptions: (isConfirmed) => topics.confirm(isConfirmed),
    denyAll: (name) => cloud.roles.suspend(endpoint, cloud.functions.named(name).roleArn),
    allow: (name) => cloud.roles.restore(endpoint, cloud.functions.named(name).roleArn),
    fail: (outage) => endpoint.outages.begin(outage),
    reload: (modules) => cloud.functions.reload(modules),
    close: () => close(composition, foundations),
  };
}

async function close(composition: Composition, { server, endpoint }: Foundations): Promise<void> {
  const end = Date.now() + GRACE_MILLIS;
  const quiet = Promise.all([server.close(GRACE_MILLIS), stopAll(composition)]);
  // Invocations that still run at this point are cut off, so that requests and pollers waiting for them end too.
  await Promise.race([quiet, wait(GRACE_MILLIS, undefined, { ref: false })]);
  await composition.cloud.functions.close(Math.max(0, end - Date.now()));
  await quiet;
  await endpoint.close();
  composition.stepFunctions.close();
}

async function stopAll({ families }: Composition): Promise<void> {
  await Promise.all(families.map(async (family) => family.stop?.()));
}

/** Replaces the addresses at which AWS would serve the API, the keys of a user pool and the objects of a bucket by local ones. */
function localizing({ apiUrl, awsUrl }: { apiUrl: string; awsUrl: string }): (value: unknown) => unknown {
  const onAws = new RegExp(`https://(?:[a-z0-9]{10}|\\*)\\.execute-api\\.${REGION}\\.amazonaws\\.com`, 'g');
  const pools = new RegExp(`https://cognito-idp\\.${REGION}\\.amazonaws\\.com(?=/[\\w-]+/\\.well-known/)`, 'g');
  const buckets = new RegExp(`https://[a-z0-9.-]+\\.s3\\.${REGION}\\.amazonaws\\.com`, 'g');
  const localized = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replaceAll(onAws, apiUrl).replaceAll(pools, awsUrl).replaceAll(buckets, awsUrl);
    }
    if (Array.isArray(value)) return value.map(localized);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, localized(inner)]));
  };
  return localized;
}
