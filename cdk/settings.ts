import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { variable } from '#shared/env';

/** What differs between stages, and what a local run may set. Everything else is the same everywhere. */
export interface Settings {
  /** Log lines and access logs are kept this long. */
  readonly logRetention: RetentionDays;
  /** Never above INFO: Lambda would drop the lines that metrics are read from. */
  readonly logLevel: 'DEBUG' | 'INFO';
  /** Tables, buckets and the user pool outlive their stack, and tables refuse deletion. */
  readonly retainData: boolean;
  /** Requests per second, and burst, that the API takes over all callers before it answers 429. */
  readonly apiRatePerSecond: number;
  readonly apiBurst: number;
  /** Imports that are worked on at the same time. Each is one function with `importMemoryMiB`. */
  readonly importConcurrency: number;
  readonly importMemoryMiB: number;
  /** Workers that write files of downloads at the same time, and how many of them one download may keep busy. */
  readonly downloadConcurrency: number;
  readonly workersPerDownload: number;
  /** Functions that receive events of the bus at the same time. */
  readonly eventConcurrency: number;
  /** Functions that deliver webhooks at the same time, in each lane, and attempts that one API configuration may hold. */
  readonly deliveryConcurrency: number;
  readonly attemptsPerConfiguration: number;
  /** Replays per second, at the most, that a bulk replay makes for a tenant. */
  readonly replaysPerSecond: number;
  /** The delivery log of webhooks goes back this long; longer than the retries of a run may take (20 days). */
  readonly webhookRetentionDays: number;
  /** Where alarms are mailed to. Without it the topic is there and has no subscriber. */
  readonly alarmEmail?: string;
  /** Hosts and ports that webhooks may call although private. Empty but for local runs. */
  readonly webhookPrivateTargets: string;
  /** A file with a certificate authority that the sender of webhooks trusts besides the public ones. Empty but for local runs. */
  readonly webhookExtraCaFile: string;
}

type Numbers = Omit<Settings, 'webhookPrivateTargets' | 'webhookExtraCaFile'>;

const STAGES = {
  dev: {
    logRetention: RetentionDays.ONE_WEEK,
    logLevel: 'INFO',
    retainData: false,
    apiRatePerSecond: 200,
    apiBurst: 400,
    importConcurrency: 2,
    importMemoryMiB: 3_008,
    downloadConcurrency: 4,
    workersPerDownload: 2,
    eventConcurrency: 4,
    deliveryConcurrency: 8,
    attemptsPerConfiguration: 4,
    replaysPerSecond: 20,
    webhookRetentionDays: 30,
  },
  prod: {
    logRetention: RetentionDays.THREE_MONTHS,
    logLevel: 'INFO',
    retainData: true,
    apiRatePerSecond: 2_000,
    apiBurst: 4_000,
    importConcurrency: 5,
    importMemoryMiB: 3_008,
    downloadConcurrency: 20,
    workersPerDownload: 5,
    eventConcurrency: 50,
    deliveryConcurrency: 200,
    attemptsPerConfiguration: 20,
    replaysPerSecond: 20,
    webhookRetentionDays: 90,
  },
} as const satisfies Record<string, Numbers>;

export type Stage = keyof typeof STAGES;

/** The stage of `--context stage=NAME`. @default dev */
export function stageOf(scope: Construct): Stage {
  const stage: unknown = scope.node.tryGetContext('stage') ?? 'dev';
  if (typeof stage === 'string' && stage in STAGES) return stage as Stage;
  throw new Error(`There is no stage ${String(stage)}; choose one of ${Object.keys(STAGES).join(', ')}.`);
}

/** The stage's settings; `--context alarmEmail=ADDRESS` names who hears of alarms. */
export function settingsOf(scope: Construct): Settings {
  const alarmEmail: unknown = scope.node.tryGetContext('alarmEmail');
  return {
    ...STAGES[stageOf(scope)],
    ...(typeof alarmEmail === 'string' && { alarmEmail }),
    webhookPrivateTargets: localOnly(scope, 'WEBHOOK_PRIVATE_TARGETS'),
    webhookExtraCaFile: localOnly(scope, 'WEBHOOK_EXTRA_CA_FILE'),
  };
}

/**
 * What is said by a variable, or by a context of its name where several apps are made at once. Deployed, it would open the
 * inside of a network to whoever may write a configuration.
 */
function localOnly(scope: Construct, name: string): string {
  const value: unknown = scope.node.tryGetContext(name) ?? variable(name) ?? '';
  if (typeof value !== 'string') throw new Error(`${name} must be a text.`);
  if (value === '' || scope.node.tryGetContext('local') === true) return value;
  throw new Error(`${name} is for npm start only: unset it to synthesize a stage for deployment.`);
}
