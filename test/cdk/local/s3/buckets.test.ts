import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketCorsCommand,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketPolicyCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import { LifecycleRule } from '../../../../cdk/local/s3/lifecycle.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { testBucket } from './bucket.ts';

const DAY_MS = 24 * 3600 * 1000;
let endpoint: LocalEndpoint;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

describe('a bucket', () => {
  test('is made, found, and deleted once it is empty', async () => {
    const { client, Bucket, put } = await testBucket(endpoint);
    await client.send(new CreateBucketCommand({ Bucket }));
    await client.send(new HeadBucketCommand({ Bucket }));
    expect((await client.send(new ListBucketsCommand())).Buckets?.map(({ Name }) => Name)).toContain(Bucket);
    await put('key');
    await expect(client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'BucketNotEmpty' });
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'key' }));
    await client.send(new DeleteBucketCommand({ Bucket }));
    await expect(client.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' });
  });

  test.each(['UPPER', 'ab', 'a..b', '192.168.0.1', '-start'])('cannot be called %s', async (Bucket) => {
    const { client } = await testBucket(endpoint);
    await expect(client.send(new CreateBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'InvalidBucketName' });
  });

  test('refuses settings, which come from templates', async () => {
    const { client, Bucket } = await testBucket(endpoint);
    const notImplemented = { name: 'NotImplemented', $metadata: { httpStatusCode: 501 } };
    const PublicAccessBlockConfiguration = { BlockPublicAcls: true };
    await expect(
      client.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration })),
    ).rejects.toMatchObject(notImplemented);
    const ServerSideEncryptionConfiguration = {
      Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' as const } }],
    };
    await expect(
      client.send(new PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration })),
    ).rejects.toMatchObject(notImplemented);
    await expect(
      client.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: {} })),
    ).rejects.toMatchObject(notImplemented);
    const CORSConfiguration = { CORSRules: [{ AllowedOrigins: ['*'], AllowedMethods: ['GET'] }] };
    await expect(client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }))).rejects.toMatchObject(
      notImplemented,
    );
    const LifecycleConfiguration = { Rules: [{ Status: 'Enabled' as const, Filter: {}, Expiration: { Days: 1 } }] };
    await expect(
      client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration })),
    ).rejects.toMatchObject(notImplemented);
    await expect(client.send(new PutBucketPolicyCommand({ Bucket, Policy: '{}' }))).rejects.toMatchObject(
      notImplemented,
    );
  });

  test('obeys its policy', async () => {
    const { client, Bucket, put } = await testBucket(endpoint);
    await put('secret');
    await client.send(new GetObjectCommand({ Bucket, Key: 'secret' }));
    endpoint.setResourcePolicy(`arn:aws:s3:::${Bucket}`, {
      Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/*` }],
    });
    await expect(client.send(new GetObjectCommand({ Bucket, Key: 'secret' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });
});

describe('lifecycle rules', () => {
  async function ruled(rule: object) {
    // A clock that begins at noon, so that "the next midnight" is at a known distance.
    const start = new Date('2026-03-01T12:00:00Z').getTime();
    const own = await startLocalEndpoint({ clock: new Clock(() => start) });
    const bucket = await testBucket(own);
    const { client, Bucket } = bucket;
    own.setBucketRules(Bucket, { lifecycle: [LifecycleRule.parse(rule)], cors: [] });
    return {
      ...bucket,
      endpoint: own,
      after: async (milliseconds: number): Promise<(string | undefined)[]> => {
        own.advance(milliseconds);
        await own.sweep();
        const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
        return Contents.map(({ Key }) => Key);
      },
    };
  }

  test('delete objects of their prefix at the midnight after their days', async () => {
    const { endpoint: own, put, after } = await ruled({ Status: 'Enabled', Prefix: 'tmp/', ExpirationInDays: 1 });
    await put('tmp/a');
    await put('kept');
    expect(await after(DAY_MS)).toEqual(['kept', 'tmp/a']);
    expect(await after(DAY_MS / 2 - 1)).toEqual(['kept', 'tmp/a']);
    expect(await after(1)).toEqual(['kept']);
    await own.close();
  });

  test('leave alone what is disabled', async () => {
    const { endpoint: own, put, after } = await ruled({ Status: 'Disabled', ExpirationInDays: 1 });
    await put('old');
    expect(await after(2 * DAY_MS)).toEqual(['old']);
    await own.close();
  });

  test('abort uploads that nobody completes', async () => {
    const {
      client,
      Bucket,
      endpoint: own,
      after,
    } = await ruled({
      Status: 'Enabled',
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
    });
    const at = { Bucket, Key: 'never' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
    const parts = () => client.send(new ListPartsCommand({ ...at, UploadId }));
    await after(2 * DAY_MS);
    expect(await parts()).toMatchObject({ UploadId });
    await after(DAY_MS);
    await expect(parts()).rejects.toMatchObject({ name: 'NoSuchUpload' });
    await own.close();
  });

  test.each([
    { TagFilters: [{ Key: 'a', Value: 'b' }], ExpirationInDays: 1 },
    { ExpirationInDays: 0 },
    { ExpirationInDays: 1, ExpiredObjectDeleteMarker: true },
    { NoncurrentVersionExpiration: { NoncurrentDays: 1, NewerNoncurrentVersions: 2 } },
    { ExpirationInDays: 1.5 },
  ])('are refused when they could not be obeyed: %j', (rule) => {
    expect(LifecycleRule.safeParse({ Status: 'Enabled', ...rule }).success).toBe(false);
  });
});
