import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ReceiptReaders } from '../functions/images/readers/receipt-readers.ts';
import type { Throttle, ThrottledKind } from './constructs/route-throttles.ts';
import type { DomainName } from './settings.ts';

/** What differs between stages, and what a local run may set. Everything else is the same everywhere. */
export interface Settings {
  /** How long log lines and access logs are kept. */
  readonly logRetention: RetentionDays;
  /** Never above INFO: Lambda would drop the lines that metrics are read from. */
  readonly logLevel: 'DEBUG' | 'INFO';
  /** Tables, buckets and the user pool outlive their stack, and tables refuse deletion. */
  readonly retainData: boolean;
  /** Requests per second of all callers together, and burst, that the API takes before it answers 429. */
  readonly apiRatePerSecond: number;
  readonly apiBurst: number;
  /** Of each single route of a kind, instead of those: a flood of one route leaves the others alone. */
  readonly routeThrottles: Readonly<Record<ThrottledKind, Throttle>>;
  /** Imports that are worked on at the same time. Each is one function with `importMemoryMiB`. */
  readonly importConcurrency: number;
  readonly importMemoryMiB: number;
  /** The tenant whose rules fire on imports of records, which belong to no tenant; blank: no rules do. */
  readonly importsTenant: string;
  /** Workers that write files of downloads at the same time, and how many of them one download may keep busy. */
  readonly downloadConcurrency: number;
  readonly workersPerDownload: number;
  /** Different records that previews show a data token on a UTC day, without payment. At most 60,000: they are one item. */
  readonly previewRecordsPerDay: number;
  /** Quotas of a tenant: events announced and places made one by one on a UTC day, rules, and imports of places that begin on a day. */
  readonly eventsPerDay: number;
  readonly rulesPerTenant: number;
  readonly newPlacesPerDay: number;
  readonly placeImportsPerDay: number;
  /** Functions that receive events of the bus at the same time. */
  readonly eventConcurrency: number;
  /** Functions that deliver webhooks at the same time, in each lane, and attempts that one API configuration may hold. */
  readonly deliveryConcurrency: number;
  readonly attemptsPerConfiguration: number;
  /** Those that one may hold whose endpoint does not answer, until it does. */
  readonly attemptsWhileSilent: number;
  /** The most replays per second that a bulk replay makes for a tenant. */
  readonly replaysPerSecond: number;
  /** How far back the delivery log of webhooks goes; longer than the retries of a run may take (20 days). */
  readonly webhookRetentionDays: number;
  /** Longest wait of a metered request for one call to the meter's table, and for all of them. */
  readonly meterCallMillis: number;
  readonly meterRequestMillis: number;
  /** Who reads receipts, in this order: the second reads what the first leaves in doubt. */
  readonly receiptReaders: ReceiptReaders;
  /** Images that are examined at the same time, over all apps and of one app. More wait in a queue. */
  readonly examinations: number;
  readonly examinationsPerApp: number;
  /** Time of a processor that opening one file may take, before a person has to look at it. */
  readonly openingSeconds: number;
  /** How long the embedded reader may take for one image, before a person has to look at it. */
  readonly readingSeconds: number;
  /** How long a person may take over an image validation that no machine can decide. */
  readonly reviewDays: number;
  /** The address that mails to tenants come from, verified in SES; blank: they are told by events only. */
  readonly mailFrom: string;
  /** The domains that the stage has; the others are not synthesized. */
  readonly domains: readonly DomainName[];
  /** The administration screens let operators in with a code of an authenticator app only: wherever the stage is deployed. */
  readonly operatorsNeedCode: boolean;
  /** Where alarms are mailed to, or `nobody`. */
  readonly alarmsTo: string;
  /** The alarm that sounds before callers are affected: throttles of the account. */
  readonly warnsEarly: boolean;
}
