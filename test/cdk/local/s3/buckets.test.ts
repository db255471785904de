import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadBucketCommand,
  type LifecycleRule,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
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
    await client.send(new GetBucketLocationCommand({ Bucket }));
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

  test('has no versions and at first no lifecycle', async () => {
    const { client, Bucket } = await testBucket(endpoint);
    expect((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBeUndefined();
    await expect(client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).rejects.toMatchObject({
      name: 'NoSuchLifecycleConfiguration',
    });
  });

  test('refuses settings that nobody would obey', async () => {
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
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await expect(
      client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration })),
    ).rejects.toMatchObject(notImplemented);
    await expect(
      client.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: {} })),
    ).rejects.toMatchObject(notImplemented);
  });

  test('obeys its policy, until it is taken away', async () => {
    const { client, Bucket, put } = await testBucket(endpoint);
    await put('secret');
    const Policy = JSON.stringify({
      Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/*` }],
    });
    await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
    await expect(client.send(new GetObjectCommand({ Bucket, Key: 'secret' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    await client.send(new DeleteBucketPolicyCommand({ Bucket }));
    await client.send(new GetObjectCommand({ Bucket, Key: 'secret' }));
  });
});

describe('lifecycle rules', () => {
  async function ruled(...Rules: LifecycleRule[]) {
    // A clock that begins at noon, so that "the next midnight" is at a known distance.
    const start = new Date('2026-03-01T12:00:00Z').getTime();
    const own = await startLocalEndpoint({ clock: new Clock(() => start) });
    const bucket = await testBucket(own);
    const { client, Bucket } = bucket;
    await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
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
    const {
      endpoint: own,
      put,
      after,
    } = await ruled({ ID: 'short', Status: 'Enabled', Filter: { Prefix: 'tmp/' }, Expiration: { Days: 1 } });
    await put('tmp/a');
    await put('kept');
    expect(await after(DAY_MS)).toEqual(['kept', 'tmp/a']);
    expect(await after(DAY_MS / 2 - 1)).toEqual(['kept', 'tmp/a']);
    expect(await after(1)).toEqual(['kept']);
    await own.close();
  });

  test('leave alone what is disabled', async () => {
    const {
      endpoint: own,
      put,
      after,
    } = await ruled({ ID: 'off', Status: 'Disabled', Filter: { Prefix: '' }, Expiration: { Days: 1 } });
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
      ID: 'abort',
      Status: 'Enabled',
      Filter: { Prefix: '' },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
    });
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'never' }));
    const open = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.length ?? 0;
    await after(2 * DAY_MS);
    expect(await open()).toBe(1);
    await after(DAY_MS);
    expect(await open()).toBe(0);
    await own.close();
  });

  test('are refused when they could not be obeyed, and can be taken away', async () => {
    const { client, Bucket } = await testBucket(endpoint);
    const put = (rule: LifecycleRule) =>
      client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [rule] } }));
    const tagged: LifecycleRule = {
      Status: 'Enabled',
      Filter: { Tag: { Key: 'a', Value: 'b' } },
      Expiration: { Days: 1 },
    };
    await expect(put(tagged)).rejects.toMatchObject({ name: 'NotImplemented' });
    await expect(put({ Status: 'Enabled', Filter: { Prefix: '' }, Expiration: { Days: 0 } })).rejects.toMatchObject({
      name: 'InvalidArgument',
    });
    await put({ Status: 'Enabled', Filter: { Prefix: '' }, Expiration: { Days: 1 } });
    await client.send(new DeleteBucketLifecycleCommand({ Bucket }));
    await expect(client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).rejects.toMatchObject({
      name: 'NoSuchLifecycleConfiguration',
    });
  });
});
