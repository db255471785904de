import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { variable } from '#shared/env';
import type { ReceiptReaders } from '../functions/images/readers/receipt-readers.ts';
import type { Throttle, ThrottledKind } from './constructs/route-throttles.ts';
import { LOCAL_VARIABLES } from './local-parameters.ts';

/** The settings that differ between stages, or that a local run may set. Everything else is the same everywhere. */
export interface Settings {
  /** The retention of log lines and access logs. */
  readonly logRetention: RetentionDays;
  /** The ARN of the KMS key that encrypts them. Empty: CloudWatch's own key. */
  readonly logKey: string;
  /** The ARN of the KMS key that encrypts secrets, topics, queues and buckets. Empty: AWS's own keys. */
  readonly dataKey: string;
  /** The name of the bucket to which S3 writes the access logs of all buckets. Empty: none are written. */
  readonly bucketLogs: string;
  /** The ARN of a backup vault that gets a copy of the nightly backups of all tables. Empty: no backups are made. */
  readonly backupCopyTo: string;
  /** The domain that CloudFront serves the API at, with its certificate and firewall; undefined: callers reach the API itself. */
  readonly publicDomain: PublicDomain | undefined;
  /** The level of log lines. Above INFO, Lambda would drop the lines that metrics are read from. */
  readonly logLevel: 'DEBUG' | 'INFO';
  /** Tables, buckets and the user pool outlive their stack, and tables refuse deletion. */
  readonly retainData: boolean;
  /** The request rate and burst of the API, of all callers together. Beyond them it answers 429. */
  readonly apiRatePerSecond: number;
  readonly apiBurst: number;
  /** Rate and burst of each route of a kind, so that a flood of one route does not affect the others. */
  readonly routeThrottles: Readonly<Record<ThrottledKind, Throttle>>;
  /** The most workers of imports at the same time. Each is one function with `importMemoryMiB`. */
  readonly importConcurrency: number;
  readonly importMemoryMiB: number;
  /** The most parts of one file that are imported at the same time. */
  readonly workersPerImport: number;
  /** The tenant whose rules fire on imports of records, which belong to no tenant. Empty: no rules fire. */
  readonly importsTenant: string;
  /** The most workers that write files of downloads at the same time, and the most for one download. */
  readonly downloadConcurrency: number;
  readonly workersPerDownload: number;
  /** The number of different records that previews show a data token on a UTC day. One item stores them: at most 60,000. */
  readonly previewRecordsPerDay: number;
  /** The quotas of a tenant: events, new places and imports of places on a UTC day, and its rules in all. */
  readonly eventsPerDay: number;
  readonly rulesPerTenant: number;
  readonly newPlacesPerDay: number;
  readonly placeImportsPerDay: number;
  /** The most functions that receive events of the bus at the same time. */
  readonly eventConcurrency: number;
  /** The most functions that deliver webhooks at the same time in each lane, and the most attempts of one API configuration. */
  readonly deliveryConcurrency: number;
  readonly attemptsPerConfiguration: number;
  /** The most attempts of a configuration whose endpoint is silent, until it responds. */
  readonly attemptsWhileSilent: number;
  /** The pace of a bulk replay. */
  readonly replaysPerSecond: number;
  /** The retention of the delivery log: longer than the retries of a run may take (20 days). */
  readonly webhookRetentionDays: number;
  /** The timeouts of a metered request for one call to the meter's table, and for all of its calls. */
  readonly meterCallMillis: number;
  readonly meterRequestMillis: number;
  /** The readers of receipts, in order: the second one reads what the first leaves in doubt. */
  readonly receiptReaders: ReceiptReaders;
  /** The most images that are examined at the same time, over all apps and of one app. More wait in a queue. */
  readonly examinations: number;
  readonly examinationsPerApp: number;
  /** The processor time for opening one file. A file that takes longer needs a person. */
  readonly openingSeconds: number;
  /** The time of the embedded reader for one image. An image that takes longer needs a person. */
  readonly readingSeconds: number;
  /** The day since which `/priv/v1` and `/api/v1` are deprecated. Empty: they are not. */
  readonly loyaltyDeprecatedSince: string;
  /** The time in which a person must decide a validation in review. */
  readonly reviewDays: number;
  /** The sender of mails to tenants, verified in SES. Empty: tenants get events only. */
  readonly mailFrom: string;
  /** The name of the administration screens, of at most 40 characters. */
  readonly productName: string;
  /** The domains of the stage. Others are not synthesized. */
  readonly domains: readonly DomainName[];
  /** True if operators must sign in with a code of an authenticator app: in every deployed stage. */
  readonly operatorsNeedCode: boolean;
  /** The addresses for pages and for tickets, which wait for a working day; or `nobody`. */
  readonly alarmsTo: string;
  readonly ticketsTo: string;
  /** The monthly budget of the whole account. A mail warns before it is exceeded. */
  readonly monthlyBudgetDollars: number;
  /** The domains that have a dashboard. Three in an account are free; each further one costs $3 a month. */
  readonly dashboards: readonly DomainName[];
  /** A new version of a hot function gets this share of its calls first, for so long; undefined: all at once. */
  readonly canary: Canary | undefined;
  /** True if webhooks go out from fixed addresses, over two NAT gateways. */
  readonly fixedEgress: boolean;
  /** True if throttles of the account raise an alarm, before callers are affected. */
  readonly warnsEarly: boolean;
  /**
   * The reserved concurrency of functions, by handler: a minimum and a maximum. Workers of queues need none as a limit:
   * their concurrency has settings of its own.
   */
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  /** The throughput that the table of a domain and each of its indexes provide at once, instead of growing to it. */
  readonly warmThroughput: Readonly<Partial<Record<DomainName, WarmThroughput>>>;
}

interface Canary {
  readonly percent: number;
  readonly minutes: number;
}

export interface PublicDomain {
  readonly name: string;
  /** The ARN of its certificate, in us-east-1. */
  readonly certificate: string;
  /** The ARN of a web ACL of AWS WAF; undefined: there is none. */
  readonly webAcl: string | undefined;
}

interface WarmThroughput {
  readonly readUnitsPerSecond: number;
  readonly writeUnitsPerSecond: number;
}

/**
 * The plans of data tokens (`planId`), with the views of each. A token whose plan is removed here has all views.
 */
export const DATA_PLANS = {
  basic: ['businesses_basic', 'products_basicFields', 'properties_all'],
  premium: 'all',
  all: 'all',
  demo: 'all',
} as const;

const FUNCTIONS = join(import.meta.dirname, '..', 'functions');

/** Textract costs money for each page, and the pictures are sent to it. */
const RECEIPT_READERS = [
  'embedded',
  'textract',
  'embedded,textract',
  'textract,embedded',
] as const satisfies readonly ReceiptReaders[];

/** The value for no mails. The alarms exist all the same, and are shown in the console. */
export const NOBODY = 'nobody';

/** Every domain has an entry here, a folder in `functions/`, `cdk/domains/` and `test/`, and a stack. */
export const DOMAIN_NAMES = ['accounts', 'records', 'webhooks', 'conversions', 'places', 'images', 'console'] as const;
export type DomainName = (typeof DOMAIN_NAMES)[number];

/** Large photographs take two seconds. */
const OPENING_SECONDS = 20;
const READING_SECONDS = 18;
/** The time to read a receipt in a local run, where all functions share a few processors. */
const LOCAL_READING_SECONDS = 180;

/** The specification of the loyalty interfaces supports no new integrations, and gives no date. */
const LOYALTY_DEPRECATED_SINCE = '2026-11-01';

/** A new account has 10 executions in all, and a new table starts with enough for most: nothing is reserved or warmed. */
const CAPACITY = { reservedConcurrency: {}, warmThroughput: {} };

/** The quotas of a tenant, the same in all stages. */
const QUOTAS = { eventsPerDay: 100_000, rulesPerTenant: 1_000, newPlacesPerDay: 10_000, placeImportsPerDay: 100 };

interface StageSettings
  extends Omit<
    Settings,
    | 'alarmsTo'
    | 'ticketsTo'
    | 'mailFrom'
    | 'productName'
    | 'logKey'
    | 'dataKey'
    | 'bucketLogs'
    | 'backupCopyTo'
    | 'publicDomain'
    | 'canary'
    | 'fixedEgress'
    | 'dashboards'
    | 'openingSeconds'
    | 'readingSeconds'
    | 'operatorsNeedCode'
  > {
  /** Undefined where it must be stated: here, for good, or with `--context alarmsTo=ADDRESS` at every deployment. */
  readonly alarmsTo: string | undefined;
}

const STAGES = {
  dev: {
    domains: DOMAIN_NAMES,
    alarmsTo: NOBODY,
    monthlyBudgetDollars: 50,
    warnsEarly: false,
    ...CAPACITY,
    logRetention: RetentionDays.ONE_WEEK,
    logLevel: 'INFO',
    retainData: false,
    apiRatePerSecond: 200,
    apiBurst: 400,
    routeThrottles: {
      signIn: { ratePerSecond: 20, burst: 40 },
      unknownPaths: { ratePerSecond: 50, burst: 100 },
      publicRoutes: { ratePerSecond: 200, burst: 400 },
    },
    importConcurrency: 2,
    importMemoryMiB: 3_008,
    workersPerImport: 2,
    importsTenant: 'demo',
    downloadConcurrency: 4,
    workersPerDownload: 2,
    previewRecordsPerDay: 1_000,
    ...QUOTAS,
    eventConcurrency: 2,
    deliveryConcurrency: 8,
    attemptsPerConfiguration: 4,
    attemptsWhileSilent: 2,
    replaysPerSecond: 20,
    webhookRetentionDays: 30,
    // On a laptop the table, its callers and everything else share the processors: short waits would open the meter.
    meterCallMillis: 4_000,
    meterRequestMillis: 6_000,
    receiptReaders: 'embedded',
    examinations: 3,
    examinationsPerApp: 2,
    loyaltyDeprecatedSince: LOYALTY_DEPRECATED_SINCE,
    reviewDays: 7,
  },
  prod: {
    domains: DOMAIN_NAMES,
    alarmsTo: undefined,
    monthlyBudgetDollars: 500,
    warnsEarly: true,
    ...CAPACITY,
    logRetention: RetentionDays.THREE_MONTHS,
    logLevel: 'INFO',
    retainData: true,
    apiRatePerSecond: 2_000,
    apiBurst: 4_000,
    routeThrottles: {
      signIn: { ratePerSecond: 20, burst: 40 },
      unknownPaths: { ratePerSecond: 50, burst: 100 },
      publicRoutes: { ratePerSecond: 500, burst: 1_000 },
    },
    importConcurrency: 5,
    importMemoryMiB: 3_008,
    workersPerImport: 4,
    importsTenant: '',
    downloadConcurrency: 20,
    workersPerDownload: 5,
    previewRecordsPerDay: 1_000,
    ...QUOTAS,
    eventConcurrency: 50,
    deliveryConcurrency: 200,
    attemptsPerConfiguration: 20,
    attemptsWhileSilent: 4,
    replaysPerSecond: 20,
    webhookRetentionDays: 90,
    meterCallMillis: 50,
    meterRequestMillis: 80,
    receiptReaders: 'embedded',
    examinations: 100,
    examinationsPerApp: 20,
    loyaltyDeprecatedSince: LOYALTY_DEPRECATED_SINCE,
    reviewDays: 14,
  },
} as const satisfies Record<string, StageSettings>;

export type Stage = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as Stage[];

/** The stage of `--context stage=NAME`. @default dev */
export function stageOf(scope: Construct): Stage {
  const stage: unknown = scope.node.tryGetContext('stage') ?? 'dev';
  if (typeof stage === 'string' && stage in STAGES) return stage as Stage;
  throw new Error(`There is no stage ${String(stage)}; choose one of ${Object.keys(STAGES).join(', ')}.`);
}

/** The stacks of a stage, in the order in which they build on one another. */
export const stackNames = (stage: string, domains: readonly DomainName[]): readonly string[] =>
  ['data', 'edge', ...domains, 'gateway'].map((part) => `five-services-${stage}-${part}`);

/** The stage's settings. */
export function settingsOf(scope: Construct): Settings {
  const stage = stageOf(scope);
  const settings: StageSettings = STAGES[stage];
  return {
    ...settings,
    domains: domainsOf(scope, settings),
    alarmsTo: alarmReceiverOf(scope, settings, stage),
    ticketsTo: ticketReceiverOf(scope, alarmReceiverOf(scope, settings, stage)),
    mailFrom: mailSenderOf(scope),
    productName: productNameOf(scope),
    logRetention: logRetentionOf(scope, settings),
    logKey: kmsKeyOf(scope, 'logKey'),
    dataKey: dataKeyOf(scope),
    bucketLogs: bucketLogsOf(scope),
    backupCopyTo: backupCopyToOf(scope),
    publicDomain: publicDomainOf(scope),
    canary: canaryOf(scope),
    fixedEgress: fixedEgressOf(scope),
    dashboards: dashboardsOf(scope, settings),
    reservedConcurrency: reservedConcurrencyOf(scope, settings),
    warmThroughput: warmThroughputOf(scope, settings),
    receiptReaders: receiptReadersOf(scope, settings),
    openingSeconds: OPENING_SECONDS,
    readingSeconds: isLocal(scope) ? LOCAL_READING_SECONDS : READING_SECONDS,
    operatorsNeedCode: !isLocal(scope),
  };
}

/** `--context domains=accounts,webhooks` leaves out the others. Accounts hold the credentials that all others check. */
function domainsOf(scope: Construct, { domains }: StageSettings): readonly DomainName[] {
  const value: unknown = scope.node.tryGetContext('domains');
  if (value === undefined) return domains;
  if (typeof value !== 'string') throw new Error('domains must be names with commas between them.');
  const names = value.split(',');
  const unknown = names.filter((name) => !DOMAIN_NAMES.some((domain) => domain === name));
  if (unknown.length > 0) {
    throw new Error(`There is no domain ${unknown.join(', ')}; choose from ${DOMAIN_NAMES.join(', ')}.`);
  }
  if (!names.includes('accounts')) throw new Error('Every stage needs the domain accounts.');
  return DOMAIN_NAMES.filter((name) => names.includes(name));
}

function alarmReceiverOf(scope: Construct, { alarmsTo }: StageSettings, stage: Stage): string {
  const value: unknown = scope.node.tryGetContext('alarmsTo') ?? alarmsTo;
  if (typeof value === 'string' && (value === NOBODY || /^[^@\s]+@[^@\s]+$/.test(value))) return value;
  throw new Error(
    `State where the alarms of ${stage} are mailed: set alarmsTo in cdk/settings.ts, or deploy with --context alarmsTo=ADDRESS. "nobody" means that no mail is wanted.`,
  );
}

/** `--context ticketsTo=ADDRESS`. @default the receiver of all other alarms */
function ticketReceiverOf(scope: Construct, alarmsTo: string): string {
  const value: unknown = scope.node.tryGetContext('ticketsTo') ?? alarmsTo;
  if (typeof value === 'string' && (value === NOBODY || /^[^@\s]+@[^@\s]+$/.test(value))) return value;
  throw new Error('ticketsTo must be an address, or "nobody".');
}

/** `--context productName=NAME`: what people who use the administration screens know the service by. */
function productNameOf(scope: Construct): string {
  const value: unknown = scope.node.tryGetContext('productName') ?? 'Console';
  if (typeof value === 'string' && /^\S(.{0,38}\S)?$/.test(value)) return value;
  throw new Error('productName must be a name of at most 40 characters.');
}

/** `--context mailFrom=ADDRESS`: an identity that SES has verified in the account and region of the deployment. */
function mailSenderOf(scope: Construct): string {
  const value: unknown = scope.node.tryGetContext('mailFrom') ?? '';
  if (typeof value === 'string' && (value === '' || /^[^@\s]+@[^@\s]+$/.test(value))) return value;
  throw new Error('mailFrom must be an address that SES has verified.');
}

/** `--context logRetentionDays=365` instead of the stage's own. */
function logRetentionOf(scope: Construct, { logRetention }: StageSettings): RetentionDays {
  const value: unknown = scope.node.tryGetContext('logRetentionDays');
  if (value === undefined) return logRetention;
  const retention = Object.values(RetentionDays).find((one) => String(one) === String(Number(value)));
  if (typeof retention === 'number') return retention;
  throw new Error('logRetentionDays must be a number of days that CloudWatch has, such as 90, 365 or 3653.');
}

/** `--context NAME=ARN`: a KMS key whose policy lets the services of AWS use it that the guide names. */
function kmsKeyOf(scope: Construct, name: 'logKey' | 'dataKey'): string {
  const value: unknown = scope.node.tryGetContext(name) ?? '';
  if (typeof value === 'string' && (value === '' || /^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/.+$/.test(value))) return value;
  throw new Error(`${name} must be the ARN of a KMS key.`);
}

/** `--context dataKey=ARN`. */
function dataKeyOf(scope: Construct): string {
  const key = kmsKeyOf(scope, 'dataKey');
  if (key === '' || !isLocal(scope)) return key;
  throw new Error('The local cloud encrypts nothing with keys of an operator: dataKey is for deployments.');
}

/** `--context bucketLogs=BUCKET`: a bucket of the account and region whose policy lets S3 write logs into it. */
function bucketLogsOf(scope: Construct): string {
  const value: unknown = scope.node.tryGetContext('bucketLogs') ?? '';
  if (typeof value !== 'string' || !/^([a-z\d][a-z\d.-]{1,61}[a-z\d])?$/.test(value)) {
    throw new Error('bucketLogs must be the name of a bucket.');
  }
  if (value === '' || !isLocal(scope)) return value;
  throw new Error('The local cloud writes no access logs of buckets: bucketLogs is for deployments.');
}

/** `--context backupCopyTo=ARN`: a vault of AWS Backup whose policy lets this account copy into it. */
function backupCopyToOf(scope: Construct): string {
  const value: unknown = scope.node.tryGetContext('backupCopyTo') ?? '';
  const isVault = typeof value === 'string' && /^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:[\w-]+$/.test(value);
  if (isVault || value === '') return value;
  throw new Error('backupCopyTo must be the ARN of a backup vault.');
}

/** `--context domainName=api.example.com`, with `certificate=ARN` and, for a firewall, `webAcl=ARN`. @default none */
function publicDomainOf(scope: Construct): PublicDomain | undefined {
  const [name, certificate, webAcl] = ['domainName', 'certificate', 'webAcl'].map((key): unknown =>
    scope.node.tryGetContext(key),
  );
  if (name === undefined) {
    if (certificate === undefined && webAcl === undefined) return undefined;
    throw new Error('certificate and webAcl belong to a domain: set domainName as well.');
  }
  if (typeof name !== 'string' || !/^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/.test(name)) {
    throw new Error('domainName must be a host name in lower case, such as api.example.com.');
  }
  if (typeof certificate !== 'string' || !/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(certificate)) {
    throw new Error('certificate must be the ARN of the certificate of domainName, issued by ACM in us-east-1.');
  }
  if (webAcl === undefined) return { name, certificate, webAcl };
  if (typeof webAcl === 'string' && /^arn:[\w-]+:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/.test(webAcl)) {
    return { name, certificate, webAcl };
  }
  throw new Error('webAcl must be the ARN of a web ACL of WAFv2 with the scope CLOUDFRONT.');
}

/** `--context canary=10/5`: percent of the calls, and minutes. @default none */
function canaryOf(scope: Construct): Canary | undefined {
  const value: unknown = scope.node.tryGetContext('canary');
  if (value === undefined) return undefined;
  const [, percent, minutes] = (typeof value === 'string' && /^([1-9]\d?)\/([1-9]\d?)$/.exec(value)) || [];
  const canary = { percent: Number(percent), minutes: Number(minutes) };
  if (canary.minutes <= 60) return canary;
  throw new Error('canary must be a percentage below 100 and at most 60 minutes, such as 10/5.');
}

/** `--context fixedEgress=true`. @default false */
function fixedEgressOf(scope: Construct): boolean {
  const value: unknown = scope.node.tryGetContext('fixedEgress') ?? 'false';
  if (value === 'false') return false;
  if (value !== 'true') throw new Error('fixedEgress must be true or false.');
  if (isLocal(scope)) throw new Error('A laptop has no NAT gateways: fixedEgress is for deployments.');
  return true;
}

/** `--context dashboards=webhooks,records`. @default none */
function dashboardsOf(scope: Construct, settings: StageSettings): readonly DomainName[] {
  const value: unknown = scope.node.tryGetContext('dashboards') ?? '';
  const names = typeof value === 'string' ? value.split(',').filter((name) => name !== '') : [String(value)];
  const domains = domainsOf(scope, settings);
  const unknown = names.filter((name) => !domains.some((domain) => domain === name));
  if (unknown.length > 0) throw new Error(`dashboards has ${unknown.join(', ')}, which is no domain of the stage.`);
  return domains.filter((domain) => names.includes(domain));
}

/** `--context reservedConcurrency=records/search/search-data=200,conversions/convert/convert=100` instead of the stage's own. */
function reservedConcurrencyOf(scope: Construct, { reservedConcurrency }: StageSettings): Record<string, number> {
  const reserved = contextPairs(scope, 'reservedConcurrency', /^[1-9]\d*$/)?.map(([name, count]): [string, number] => {
    return [name, Number(count)];
  });
  const all = reserved ? Object.fromEntries(reserved) : reservedConcurrency;
  const unknown = Object.keys(all).find((name) => !existsSync(join(FUNCTIONS, `${name}.handler.ts`)));
  if (unknown !== undefined) throw new Error(`reservedConcurrency: there is no function ${unknown}.`);
  return all;
}

/** `--context warmThroughput=records=12000/4000,webhooks=12000/8000`, reads and writes a second, instead of the stage's own. */
function warmThroughputOf(scope: Construct, { warmThroughput }: StageSettings): Settings['warmThroughput'] {
  const warm = contextPairs(scope, 'warmThroughput', /^[1-9]\d*\/[1-9]\d*$/);
  if (warm === undefined) return warmThroughput;
  const unknown = warm.find(([name]) => !DOMAIN_NAMES.some((known) => known === name));
  if (unknown) throw new Error(`warmThroughput: there is no domain ${unknown[0]}.`);
  return Object.fromEntries(
    warm.map(([name, units]) => {
      const [readUnitsPerSecond = 0, writeUnitsPerSecond = 0] = units.split('/').map(Number);
      if (readUnitsPerSecond < 12_000 || writeUnitsPerSecond < 4_000) {
        throw new Error('warmThroughput: every new table takes 12000/4000, and AWS refuses less.');
      }
      return [name, { readUnitsPerSecond, writeUnitsPerSecond }];
    }),
  );
}

/** The pairs of a context `a=1,b=2`. */
function contextPairs(scope: Construct, name: string, value: RegExp): [string, string][] | undefined {
  const text: unknown = scope.node.tryGetContext(name);
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw new Error(`${name} must be pairs NAME=VALUE with commas between them.`);
  return text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const [key, given] = [pair.slice(0, at), pair.slice(at + 1)];
    if (at < 1 || !value.test(given)) throw new Error(`${name} must be pairs NAME=VALUE with commas between them.`);
    return [key, given];
  });
}

/** `--context receiptReaders=embedded,textract` instead of the stage's own. */
function receiptReadersOf(scope: Construct, { receiptReaders }: StageSettings): ReceiptReaders {
  const value: unknown = scope.node.tryGetContext('receiptReaders') ?? receiptReaders;
  const readers = RECEIPT_READERS.find((one) => one === value);
  if (readers === undefined) throw new Error(`receiptReaders must be one of ${RECEIPT_READERS.join(' | ')}.`);
  if (readers !== 'embedded' && isLocal(scope)) {
    throw new Error('The local cloud has no Textract: receiptReaders must be embedded.');
  }
  return readers;
}

/** Returns whether the template is for `npm start`. A context of the command line is text, so no deployment can ask for it. */
export const isLocal = (scope: Construct): boolean => scope.node.tryGetContext('local') === true;

/** Deployed, they would open the inside of a network to everyone who may write a configuration. */
export function refuseLocalVariables(scope: Construct): void {
  const name = LOCAL_VARIABLES.find((one) => variable(one) !== undefined);
  if (name === undefined || isLocal(scope)) return;
  throw new Error(`${name} is for npm start only: unset it to synthesize a stage for deployment.`);
}
