/** The parts of the local cloud that every family of resources receives. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';
import type { MetricStore } from './cloudwatch/metric-store.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { Targets } from './events/targets.ts';
import type { Permissions } from './iam/permissions.ts';
import type { Roles } from './iam/roles.ts';
import type { Functions } from './lambda/functions.ts';

export interface CloudContext {
  readonly region: string;
  readonly accountId: string;
  /** The folder of all state; null keeps nothing. */
  readonly dataDir: string | null;
  readonly clock: Clock;
  /** The time of the clock. */
  readonly now: () => Date;
  readonly activity: Activity;
  readonly endpoint: Endpoint;
  /** The address of the HTTP API. */
  readonly apiUrl: string;
  /** Clients of the account's owner, for making and reading resources. */
  readonly clients: Clients;
  readonly roles: Roles;
  readonly permissions: Permissions;
  readonly functions: Functions;
  readonly targets: Targets;
  readonly metrics: MetricStore;
  /** Prints one plain line on the terminal. */
  readonly report: (line: string) => void;
}

interface Clients {
  readonly dynamodb: DynamoDBClient;
  readonly s3: S3Client;
  readonly sqs: SQSClient;
}
