import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allowing,
  type Condition,
  type LocalEndpoint,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';
import { type TestBucket, testBucket } from './bucket.ts';

let endpoint: LocalEndpoint;
let bucket: TestBucket;
let at: { Bucket: string };
let roles = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  bucket = await testBucket(endpoint);
  at = { Bucket: bucket.Bucket };
  await bucket.put('open/a');
  await bucket.put('closed/a');
});
afterAll(() => endpoint.close());

/** @param resource In the bucket; empty for the bucket itself. */
function roleWith(actions: string[], resource: string, condition?: Condition): S3Client {
  const arn = `arn:aws:s3:::${bucket.Bucket}${resource === '' ? '' : `/${resource}`}`;
  return new S3Client(
    endpoint.clientOptions(
      endpoint.role(
        `s3role${++roles}`,
        allowing(
          actions.map((action) => `s3:${action}`),
          arn,
          condition,
        ),
      ),
    ),
  );
}

const denied = { name: 'AccessDenied' };

describe('reading', () => {
  test('needs GetObject on the object, also for its head', async () => {
    const reader = roleWith(['GetObject'], 'open/*');
    await reader.send(new GetObjectCommand({ ...at, Key: 'open/a' }));
    await reader.send(new HeadObjectCommand({ ...at, Key: 'open/a' }));
    await expect(reader.send(new GetObjectCommand({ ...at, Key: 'closed/a' }))).rejects.toMatchObject(denied);
    await expect(reader.send(new HeadObjectCommand({ ...at, Key: 'closed/a' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    await expect(reader.send(new PutObjectCommand({ ...at, Key: 'open/a', Body: 'x' }))).rejects.toMatchObject(denied);
  });

  test('tells that a key is missing only to those who may list', async () => {
    const missing = new GetObjectCommand({ ...at, Key: 'open/missing' });
    await expect(roleWith(['GetObject'], 'open/*').send(missing)).rejects.toMatchObject(denied);
    const arn = `arn:aws:s3:::${bucket.Bucket}`;
    const lister = endpoint.role('lister', allowing('s3:GetObject', `${arn}/*`), allowing('s3:ListBucket', arn));
    await expect(new S3Client(endpoint.clientOptions(lister)).send(missing)).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
  });

  test('may be allowed for listings of one prefix', async () => {
    const lister = roleWith(['ListBucket'], '', { StringLike: { 's3:prefix': 'open/*' } });
    await lister.send(new ListObjectsV2Command({ ...at, Prefix: 'open/' }));
    await expect(lister.send(new ListObjectsV2Command({ ...at, Prefix: 'closed/' }))).rejects.toMatchObject(denied);
    await expect(lister.send(new ListObjectsV2Command(at))).rejects.toMatchObject(denied);
  });
});

describe('writing', () => {
  test('in parts needs PutObject, and aborting its own permission', async () => {
    const writer = roleWith(['PutObject'], 'open/*');
    const Key = 'open/parts';
    const { UploadId } = await writer.send(new CreateMultipartUploadCommand({ ...at, Key }));
    const { ETag } = await writer.send(new UploadPartCommand({ ...at, Key, UploadId, PartNumber: 1, Body: 'x' }));
    await expect(writer.send(new AbortMultipartUploadCommand({ ...at, Key, UploadId }))).rejects.toMatchObject(denied);
    await writer.send(
      new CompleteMultipartUploadCommand({
        ...at,
        Key,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      }),
    );
    await expect(writer.send(new CreateMultipartUploadCommand({ ...at, Key: 'closed/parts' }))).rejects.toMatchObject(
      denied,
    );
  });

  test('a copy needs both permissions', async () => {
    const copy = (Key: string, from: string) =>
      new CopyObjectCommand({ ...at, Key, CopySource: `${bucket.Bucket}/${from}` });
    await roleWith(['GetObject', 'PutObject'], 'open/*').send(copy('open/copy', 'open/a'));
    await expect(
      roleWith(['GetObject', 'PutObject'], 'open/*').send(copy('open/copy', 'closed/a')),
    ).rejects.toMatchObject(denied);
    await expect(roleWith(['PutObject'], '*').send(copy('open/copy', 'open/a'))).rejects.toMatchObject(denied);
    await expect(roleWith(['GetObject'], '*').send(copy('open/copy', 'open/a'))).rejects.toMatchObject(denied);
  });

  test('deletes of a batch only those keys that may go', async () => {
    await bucket.put('open/gone');
    const Delete = { Objects: [{ Key: 'open/gone' }, { Key: 'closed/a' }] };
    const result = await roleWith(['DeleteObject'], 'open/*').send(new DeleteObjectsCommand({ ...at, Delete }));
    expect(result).toMatchObject({
      Deleted: [{ Key: 'open/gone' }],
      Errors: [{ Key: 'closed/a', Code: 'AccessDenied' }],
    });
    await bucket.client.send(new HeadObjectCommand({ ...at, Key: 'closed/a' }));
  });
});

describe('a presigned URL', () => {
  test('can do what its signer may do when it is used', async () => {
    const signer = endpoint.role('signer', allowing('s3:GetObject', `arn:aws:s3:::${bucket.Bucket}/open/*`));
    const client = new S3Client(endpoint.clientOptions(signer));
    const open = await getSignedUrl(client, new GetObjectCommand({ ...at, Key: 'open/a' }));
    const closed = await getSignedUrl(client, new GetObjectCommand({ ...at, Key: 'closed/a' }));
    expect(await (await fetch(open)).text()).toBe('open/a');
    expect((await fetch(closed)).status).toBe(403);
    endpoint.role('signer');
    expect((await fetch(open)).status).toBe(403);
  });

  test('takes an upload with the headers that were signed, and no others', async () => {
    const command = new PutObjectCommand({
      ...at,
      Key: 'open/upload',
      ContentType: 'text/csv',
      Metadata: { owner: 'me' },
    });
    const url = await getSignedUrl(bucket.client, command, { signableHeaders: new Set(['content-type']) });
    const upload = (headers: Record<string, string>) => fetch(url, { method: 'PUT', body: 'a,b', headers });
    expect((await upload({ 'content-type': 'text/plain' })).status).toBe(403);
    expect((await upload({ 'content-type': 'text/csv', 'x-amz-meta-more': '1' })).status).toBe(403);
    expect((await upload({ 'content-type': 'text/csv' })).status).toBe(200);
    const stored = await bucket.client.send(new GetObjectCommand({ ...at, Key: 'open/upload' }));
    expect(stored).toMatchObject({ ContentType: 'text/csv', Metadata: { owner: 'me' } });
    expect(await stored.Body?.transformToString()).toBe('a,b');
  });

  test('sets the name under which a browser saves the file', async () => {
    const ResponseContentDisposition = 'attachment; filename="übersicht.csv"';
    const url = await getSignedUrl(
      bucket.client,
      new GetObjectCommand({ ...at, Key: 'open/a', ResponseContentDisposition }),
    );
    expect((await fetch(url)).headers.get('content-disposition')).toBe(ResponseContentDisposition);
    const ranged = await fetch(url, { headers: { range: 'bytes=0-1' } });
    expect([ranged.status, await ranged.text()]).toEqual([206, 'op']);
  });
});
