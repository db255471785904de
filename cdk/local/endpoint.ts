/** One AWS endpoint for the whole local cloud: it checks signature and permission of every call, then lets a service answer. */
import type { AwsService, Principal } from './aws-service.ts';
import type { PolicyDocument } from './iam/policy-document.ts';

export interface EndpointOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Where state is kept; null keeps nothing. */
  readonly dataDir: string | null;
  readonly region: string;
  readonly accountId: string;
  /**
   * The DynamoDB engine.
   * @default LOCAL_DYNAMODB or AWS_ENDPOINT_URL_DYNAMODB of the environment, else dynoxide where it runs, else DynamoDB Local
   */
  readonly dynamodb?: DynamoDbEngine;
  readonly now: () => Date;
}

export type DynamoDbEngine = 'dynoxide' | 'dynamodb-local' | { readonly url: string };

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface Identity extends Credentials {
  readonly principal: Principal;
  readonly policies: readonly PolicyDocument[];
}

export interface ObjectCreated {
  readonly bucket: string;
  /** As the caller named it, not URL-encoded. */
  readonly key: string;
  readonly size: number;
  /** Without quotes, as in S3's own events. */
  readonly etag: string;
  /** Orders events of one key: compare as text. */
  readonly sequencer: string;
  readonly reason: 'PutObject' | 'CompleteMultipartUpload' | 'CopyObject' | 'POST Object';
  /** The caller's ARN. */
  readonly requester: string;
}

export interface ObjectRemoved {
  readonly bucket: string;
  readonly key: string;
  readonly sequencer: string;
  readonly reason: 'DeleteObject' | 'Lifecycle Expiration';
  readonly requester: string;
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
  onObjectCreated(listener: (event: ObjectCreated) => void): void;
  onObjectRemoved(listener: (event: ObjectRemoved) => void): void;
  /** Deletes what has outlived its time to live or lifecycle rule, as also happens every minute of the clock. */
  sweep(): Promise<void>;
  /** State is on disk afterwards. */
  close(): Promise<void>;
}

export function startEndpoint(_options: EndpointOptions): Promise<Endpoint> {
  throw new Error('Not built yet.');
}
