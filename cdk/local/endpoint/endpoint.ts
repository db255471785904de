/** One AWS endpoint for the whole local cloud: it checks signature and permission of every call, then lets a service answer. */

import { Activity } from '../activity.ts';
import { type AwsFailure, awsFailuresIn } from '../aws-failures/aws-failures.ts';
import { Outages } from '../aws-failures/outages.ts';
import type { Clock } from '../clock.ts';
import type { MetricStore } from '../cloudwatch/metric-store.ts';
import { QueueMetrics } from '../cloudwatch/queue-metrics.ts';
import { DynamoDbService } from '../dynamodb/dynamodb-service.ts';
import { chosenEngine, type DynamoDbEngine } from '../dynamodb/engine-choice.ts';
import type { TableWrites } from '../dynamodb/table-writes.ts';
import { Authorizer } from '../iam/authorizer.ts';
import type { PolicyDocument } from '../iam/policy-document.ts';
import type { ObjectCreated } from '../s3/object-event.ts';
import { S3Service } from '../s3/s3-service.ts';
import type { BucketRules } from '../s3/store.ts';
import type { Arrivals } from '../sqs/arrivals.ts';
import { SqsService } from '../sqs/sqs-service.ts';
import { SecurityTokenService } from '../sts/sts-service.ts';
import type { AwsService, Principal } from './aws-service.ts';
import { DataFolder } from './data-folder.ts';
import { Front } from './front.ts';

export interface EndpointOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** The folder of all state; null keeps nothing. */
  readonly dataDir: string | null;
  readonly region: string;
  readonly accountId: string;
  /**
   * The DynamoDB engine.
   * @default LOCAL_DYNAMODB or AWS_ENDPOINT_URL_DYNAMODB of the environment, else dynoxide where it runs, else DynamoDB Local
   */
  readonly dynamodb?: DynamoDbEngine;
  /** The ways in which calls fail as on AWS. @default those of LOCAL_AWS_LIKE in the environment, else none */
  readonly like?: ReadonlySet<AwsFailure>;
  /** True if tables can be restored to an earlier time of this run. @default if LOCAL_RECOVERY is 1 */
  readonly remembersTables?: boolean;
  readonly clock: Clock;
  /** @default work is not counted */
  readonly activity?: Activity;
  /** Takes what queues measure. @default discarded */
  readonly metrics?: MetricStore;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface Identity extends Credentials {
  readonly principal: Principal;
  readonly policies: readonly PolicyDocument[];
}

export interface Endpoint {
  readonly url: string;
  readonly port: number;
  /** May do everything; the same in every run, for the AWS CLI: `local` and `local`. */
  readonly root: Credentials;
  /** Puts one more service behind the same port. */
  add(service: AwsService): void;
  /** Replaces the one with the same access key id. */
  addIdentity(identity: Identity): void;
  /** The policy of a bucket, queue or key; an explicit Deny in it wins over everything. */
  setResourcePolicy(resourceArn: string, policy: PolicyDocument): void;
  /** Gives a bucket its lifecycle and cross-origin rules. */
  setBucketRules(bucket: string, rules: BucketRules): void;
  onObjectCreated(listener: (event: ObjectCreated) => void): void;
  /** Wakes those who read the streams of tables. */
  readonly writes: TableWrites;
  /** Wakes those who wait for messages. */
  readonly arrivals: Arrivals;
  /** The ways in which calls fail as on AWS. */
  readonly like: ReadonlySet<AwsFailure>;
  /** The outages that tests cause. */
  readonly outages: Outages;
  /** Lets indexes that are late (`gsi-lag`) show what was written. */
  indexesCatchUp(): void;
  /** Shows the messages of a queue again that functions of an earlier run held. */
  releaseMessages(queueName: string): void;
  /** Deletes what has outlived its time to live or lifecycle rule, as also happens every minute of the clock. */
  sweep(): Promise<void>;
  /** Measures how full the queues are. @param at the time for which that is measured. */
  measureQueues(at: Date): void;
  /** Writes all state to disk. */
  close(): Promise<void>;
}

const ROOT: Credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The interval at which time to live and lifecycle rules are applied. */
const SWEEP_EVERY_MS = 60_000;

export async function startEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const folder = options.dataDir === null ? null : DataFolder.take(options.dataDir);
  try {
    return await RunningEndpoint.start(options, folder);
  } catch (error) {
    folder?.release();
    throw error;
  }
}

class RunningEndpoint implements Endpoint {
  readonly root = ROOT;
  readonly port: number;
  readonly url: string;
  private readonly parts: Parts;
  private cancelSweep = () => {};

  private constructor(parts: Parts, port: number) {
    this.parts = parts;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.sweepLater();
  }

  static async start(options: EndpointOptions, folder: DataFolder | null): Promise<RunningEndpoint> {
    const { region, accountId, clock } = options;
    const { now } = clock;
    const like = options.like ?? awsFailuresIn(process.env);
    const activity = options.activity ?? new Activity();
    const authorizer = new Authorizer({ region, accountId, now });
    const outages = new Outages();
    const front = new Front({ region, now, authorizer, activity, outages });
    front.addSigner({ ...ROOT, principal: { kind: 'root', arn: `arn:aws:iam::${accountId}:root` } });
    const dynamodb = await DynamoDbService.start({
      region,
      accountId,
      now,
      engine: options.dynamodb ?? chosenEngine(process.env),
      dataDir: folder?.file('dynamodb') ?? null,
      like,
      remembers: options.remembersTables ?? process.env['LOCAL_RECOVERY'] === '1',
    });
    let port = options.port;
    const sqs = new SqsService({
      region,
      accountId,
      clock,
      activity,
      like,
      file: folder?.file('sqs.db') ?? null,
      policies: { set: (arn, policy) => setPolicy(authorizer, arn, policy) },
      ...(options.metrics && { metrics: new QueueMetrics(options.metrics) }),
      baseUrl: () => `http://127.0.0.1:${port}`,
    });
    const onCreated: Parts['onCreated'] = [];
    const s3 = new S3Service({
      region,
      accountId,
      now,
      dataDir: folder?.file('s3') ?? null,
      allows: (principal, permission) => authorizer.allows(principal, permission),
      onCreated: (event) => {
        for (const listener of onCreated) listener(event);
      },
    });
    for (const service of [dynamodb, sqs.front, s3, new SecurityTokenService(accountId)]) front.addService(service);
    try {
      port = await front.listen(options.port);
      return new RunningEndpoint(
        { front, authorizer, dynamodb, sqs, s3, onCreated, folder, clock, like, outages },
        port,
      );
    } catch (error) {
      s3.close();
      sqs.close();
      await dynamodb.close();
      throw error;
    }
  }

  add(service: AwsService): void {
    this.parts.front.addService(service);
  }

  get like(): ReadonlySet<AwsFailure> {
    return this.parts.like;
  }

  get outages(): Outages {
    return this.parts.outages;
  }

  indexesCatchUp(): void {
    this.parts.dynamodb.indexesCatchUp();
  }

  addIdentity({ principal: { kind, arn }, policies, ...credentials }: Identity): void {
    // Every identity has a principal object of its own: policies are stored by principal, and a replaced identity must
    // lose its old ones.
    const principal: Principal = { kind, arn };
    this.parts.authorizer.setIdentityPolicies(principal, policies);
    this.parts.front.addSigner({ ...credentials, principal });
  }

  setResourcePolicy(resourceArn: string, policy: PolicyDocument): void {
    this.parts.authorizer.setResourcePolicy(resourceArn, policy);
  }

  setBucketRules(bucket: string, rules: BucketRules): void {
    this.parts.s3.setRules(bucket, rules);
  }

  onObjectCreated(listener: (event: ObjectCreated) => void): void {
    this.parts.onCreated.push(listener);
  }

  get writes(): TableWrites {
    return this.parts.dynamodb.writes;
  }

  sweep(): Promise<void> {
    return this.sweepAll({ eager: true });
  }

  get arrivals(): Arrivals {
    return this.parts.sqs.arrivals;
  }

  releaseMessages(queueName: string): void {
    this.parts.sqs.release(queueName);
  }

  measureQueues(at: Date): void {
    this.parts.sqs.measure(at);
  }

  async close(): Promise<void> {
    const { front, dynamodb, sqs, s3, folder } = this.parts;
    this.cancelSweep();
    sqs.stopWaiting();
    await front.close();
    await dynamodb.close();
    s3.close();
    sqs.close();
    folder?.release();
  }

  private sweepLater(): void {
    this.cancelSweep = this.parts.clock.after(SWEEP_EVERY_MS, () => {
      // After a failed sweep, the next one does its work.
      void this.sweepAll({ eager: false }).catch(() => {});
      this.sweepLater();
    });
  }

  private async sweepAll(pace: { readonly eager: boolean }): Promise<void> {
    this.parts.sqs.sweep();
    this.parts.s3.sweep();
    await this.parts.dynamodb.sweep(pace);
  }
}

interface Parts {
  readonly front: Front;
  readonly authorizer: Authorizer;
  readonly dynamodb: DynamoDbService;
  readonly sqs: SqsService;
  readonly s3: S3Service;
  readonly onCreated: ((event: ObjectCreated) => void)[];
  readonly folder: DataFolder | null;
  readonly clock: Clock;
  readonly like: ReadonlySet<AwsFailure>;
  readonly outages: Outages;
}

/** Parses a policy from the text of an attribute; undefined removes the policy. */
function setPolicy(authorizer: Authorizer, resourceArn: string, policy: string | undefined): void {
  if (policy === undefined) authorizer.removeResourcePolicy(resourceArn);
  else authorizer.setResourcePolicy(resourceArn, JSON.parse(policy));
}
