/** A bucket of its own for a test, with a client of its owner. */
import {
  type BucketVersioningStatus,
  CreateBucketCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { LocalEndpoint } from '../../../support/cloud/local-endpoint.ts';

let buckets = 0;

export interface TestBucket {
  readonly Bucket: string;
  readonly client: S3Client;
  readonly put: (Key: string, Body?: string | Buffer) => Promise<string>;
}

export async function testBucket(endpoint: LocalEndpoint): Promise<TestBucket> {
  const Bucket = `bucket-${++buckets}`;
  // A client learns from the refusal that the clock of the endpoint was moved, and signs once more.
  const client = new S3Client({ ...endpoint.clientOptions(), maxAttempts: 2 });
  await client.send(new CreateBucketCommand({ Bucket }));
  return {
    Bucket,
    client,
    put: async (Key, Body = Key) => {
      const { ETag = '' } = await client.send(new PutObjectCommand({ Bucket, Key, Body }));
      return ETag;
    },
  };
}

export async function setVersioning({ client, Bucket }: TestBucket, Status: BucketVersioningStatus): Promise<void> {
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
}
