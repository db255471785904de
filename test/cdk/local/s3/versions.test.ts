import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import { collected } from '../../../../cdk/local/s3/blobs.ts';
import { LifecycleRule } from '../../../../cdk/local/s3/lifecycle.ts';
import { S3Store } from '../../../../cdk/local/s3/store.ts';
import { allowing, type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { setVersioning, type TestBucket, testBucket } from './bucket.ts';

const DAY_MS = 24 * 3600 * 1000;
let endpoint: LocalEndpoint;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

/** A bucket that keeps versions, and calls on its objects. */
async function versioned(of: LocalEndpoint = endpoint) {
  const bucket = await testBucket(of);
  const { client, Bucket } = bucket;
  await setVersioning(bucket, 'Enabled');
  return {
    ...bucket,
    write: (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket, Key, Body })),
    read: async (Key: string, VersionId?: string) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
      return Body?.transformToString();
    },
    head: (Key: string, VersionId?: string) => client.send(new HeadObjectCommand({ Bucket, Key, VersionId })),
    remove: (Key: string, VersionId?: string) => client.send(new DeleteObjectCommand({ Bucket, Key, VersionId })),
    listed: async () => {
      const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
      return { versions: Versions.map(({ VersionId }) => VersionId), markers: DeleteMarkers.map((m) => m.VersionId) };
    },
  };
}

/** The answer to a GET of a key, with its headers. */
async function answerTo({ client, Bucket }: TestBucket, Key: string, VersionId?: string) {
  const answer = await fetch(await getSignedUrl(client, new GetObjectCommand({ Bucket, Key, VersionId })));
  const text = await answer.text();
  const { status, headers } = answer;
  return { status, code: /<Code>(.*)<\/Code>/.exec(text)?.[1], headers: Object.fromEntries(headers) };
}

describe('a bucket that keeps versions', () => {
  test('returns each version of an object by its id, and the latest one without', async () => {
    const { write, read, head, listed } = await versioned();
    const { VersionId: first } = await write('a', 'one');
    const { VersionId: second } = await write('a', 'two');
    expect(await read('a')).toBe('two');
    expect([await read('a', first), await read('a', second)]).toEqual(['one', 'two']);
    expect((await head('a')).VersionId).toBe(second);
    expect(await head('a', first)).toMatchObject({ VersionId: first, ContentLength: 3 });
    expect(await listed()).toEqual({ versions: [second, first], markers: [] });
  });

  test('hides a deleted object behind a delete marker, whose deletion shows it again', async () => {
    const bucket = await versioned();
    const { write, read, remove, listed, client, Bucket } = bucket;
    const { VersionId } = await write('a', 'one');
    const { DeleteMarker, VersionId: marker } = await remove('a');
    expect(DeleteMarker).toBe(true);
    expect(await answerTo(bucket, 'a')).toMatchObject({
      status: 404,
      code: 'NoSuchKey',
      headers: { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker },
    });
    expect(await answerTo(bucket, 'a', marker)).toMatchObject({
      status: 405,
      code: 'MethodNotAllowed',
      headers: { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker, allow: 'DELETE' },
    });
    expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0);
    expect(await read('a', VersionId)).toBe('one');
    expect(await remove('a', marker)).toMatchObject({ DeleteMarker: true, VersionId: marker });
    expect(await read('a')).toBe('one');
    expect(await listed()).toEqual({ versions: [VersionId], markers: [] });
  });

  test('loses a version for ever that is deleted by its id, and shows the one before', async () => {
    const bucket = await versioned();
    const { write, read, remove, client, Bucket } = bucket;
    const { VersionId: first } = await write('a', 'one');
    const { VersionId: second } = await write('a', 'two');
    const { DeleteMarker, VersionId } = await remove('a', second);
    expect({ DeleteMarker, VersionId }).toEqual({ DeleteMarker: undefined, VersionId: second });
    expect(await answerTo(bucket, 'a', second)).toMatchObject({ status: 404, code: 'NoSuchVersion' });
    expect(await read('a')).toBe('one');
    await expect(client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'BucketNotEmpty' });
    await remove('a', first);
    await remove('a', first);
    await client.send(new DeleteBucketCommand({ Bucket }));
  });

  test('reports markers and versions of a batch of deletions', async () => {
    const { write, client, Bucket, read } = await versioned();
    const { VersionId: first } = await write('a', 'one');
    const { VersionId: second } = await write('a', 'two');
    const batch = (...Objects: { Key: string; VersionId?: string | undefined }[]) =>
      client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    const { Deleted, Errors } = await batch(
      { Key: 'a', VersionId: second },
      { Key: 'never' },
      { Key: 'a', VersionId: 'no id' },
    );
    expect(Deleted).toEqual([
      { Key: 'a', VersionId: second },
      { Key: 'never', DeleteMarker: true, DeleteMarkerVersionId: expect.any(String) },
    ]);
    expect(Errors).toMatchObject([{ Key: 'a', VersionId: 'no id', Code: 'InvalidArgument' }]);
    expect(await read('a')).toBe('one');
    const marker = Deleted?.[1]?.DeleteMarkerVersionId;
    expect((await batch({ Key: 'never', VersionId: marker }, { Key: 'a', VersionId: first })).Deleted).toEqual([
      { Key: 'never', VersionId: marker, DeleteMarker: true, DeleteMarkerVersionId: marker },
      { Key: 'a', VersionId: first },
    ]);
  });

  test('restores a version by a copy of it, whole or in parts', async () => {
    const { write, read, remove, client, Bucket } = await versioned();
    const { VersionId: first } = await write('a', 'one');
    await write('a', 'two');
    const CopySource = `${Bucket}/a?versionId=${first}`;
    const copy = await client.send(new CopyObjectCommand({ Bucket, Key: 'a', CopySource }));
    expect(copy).toMatchObject({ CopySourceVersionId: first, VersionId: expect.any(String) });
    expect([await read('a'), await read('a', copy.VersionId)]).toEqual(['one', 'one']);

    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'b' }));
    const upload = { Bucket, Key: 'b', UploadId };
    const part = await client.send(new UploadPartCopyCommand({ ...upload, PartNumber: 1, CopySource }));
    expect(part.CopySourceVersionId).toBe(first);
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: part.CopyPartResult?.ETag }] };
    const { VersionId } = await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }));
    expect(await read('b', VersionId)).toBe('one');

    const { VersionId: marker } = await remove('a');
    const copyFrom = (source: string) => client.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource: source }));
    await expect(copyFrom(`${Bucket}/a`)).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(copyFrom(`${Bucket}/a?versionId=${marker}`)).rejects.toMatchObject({ name: 'InvalidRequest' });
    await expect(copyFrom(`${Bucket}/a?version=1`)).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  test('compares conditions with the latest version', async () => {
    const { write, remove, client, Bucket } = await versioned();
    const { ETag: first } = await write('a', 'one');
    const { ETag: second } = await write('a', 'two');
    const putIf = (condition: { IfMatch?: string | undefined; IfNoneMatch?: string }) =>
      client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'three', ...condition }));
    const deleteIf = (IfMatch: string | undefined, VersionId?: string) =>
      client.send(new DeleteObjectCommand({ Bucket, Key: 'a', IfMatch, VersionId }));
    await expect(putIf({ IfMatch: first })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(putIf({ IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(deleteIf(first)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(deleteIf(first, 'null')).rejects.toMatchObject({ name: 'NotImplemented' });
    expect((await deleteIf(second)).DeleteMarker).toBe(true);
    await expect(putIf({ IfMatch: second })).rejects.toMatchObject({ name: 'NoSuchKey' });
    await putIf({ IfNoneMatch: '*' });
    await remove('a');
  });

  test('names the version in the event of an object', async () => {
    const own = await versioned();
    const versions: (string | undefined)[] = [];
    endpoint.onObjectCreated(({ versionId }) => versions.push(versionId));
    const { VersionId } = await own.write('a', 'one');
    await setVersioning(own, 'Suspended');
    await own.write('a', 'two');
    expect(versions).toEqual([VersionId, undefined]);
  });
});

describe('the versioning of a bucket', () => {
  test('is unset, enabled or suspended', async () => {
    const bucket = await testBucket(endpoint);
    const status = async () =>
      (await bucket.client.send(new GetBucketVersioningCommand({ Bucket: bucket.Bucket }))).Status;
    expect(await status()).toBeUndefined();
    for (const next of ['Enabled', 'Suspended', 'Enabled'] as const) {
      await setVersioning(bucket, next);
      expect(await status()).toBe(next);
    }
  });

  test('gives what was written without it, or while it is suspended, the id null', async () => {
    const { client, Bucket, ...bucket } = await testBucket(endpoint);
    const write = (Body: string) => client.send(new PutObjectCommand({ Bucket, Key: 'a', Body }));
    const read = async (VersionId?: string) => {
      const { Body, ...answer } = await client.send(new GetObjectCommand({ Bucket, Key: 'a', VersionId }));
      return [await Body?.transformToString(), answer.VersionId];
    };
    expect((await write('unversioned')).VersionId).toBeUndefined();
    expect(await read()).toEqual(['unversioned', undefined]);
    expect(await read('null')).toEqual(['unversioned', undefined]);
    await setVersioning({ client, Bucket, ...bucket }, 'Enabled');
    const { VersionId } = await write('versioned');
    expect(await read('null')).toEqual(['unversioned', 'null']);
    await setVersioning({ client, Bucket, ...bucket }, 'Suspended');
    expect((await write('suspended')).VersionId).toBeUndefined();
    expect(await read()).toEqual(['suspended', 'null']);
    expect(await read(VersionId)).toEqual(['versioned', VersionId]);
    const deletion = await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    expect(deletion).toMatchObject({ DeleteMarker: true, VersionId: 'null' });
    await expect(read('null')).rejects.toMatchObject({ name: 'MethodNotAllowed' });
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId: 'null' }));
    expect(await read()).toEqual(['versioned', VersionId]);
  });

  test('is refused if it is no status, and MFA delete always', async () => {
    const { client, Bucket } = await testBucket(endpoint);
    const put = (VersioningConfiguration: object) =>
      client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    await expect(put({ Status: 'On' })).rejects.toMatchObject({ name: 'MalformedXML' });
    await expect(put({})).rejects.toMatchObject({ name: 'IllegalVersioningConfigurationException' });
    const mfa = { name: 'NotImplemented', $metadata: { httpStatusCode: 501 } };
    await expect(put({ Status: 'Enabled', MFADelete: 'Enabled' })).rejects.toMatchObject(mfa);
    await expect(
      client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId: 'null', MFA: 'serial 123' })),
    ).rejects.toMatchObject(mfa);
  });
});

describe('an id of a version', () => {
  test('is refused if no version can have it, and not found if none has it', async () => {
    const { write, read, remove, client, Bucket } = await versioned();
    const { VersionId = '' } = await write('a', 'one');
    const other = VersionId.replace(/^.{14}/, '0'.repeat(14));
    await expect(read('a', 'NULL')).rejects.toMatchObject({ name: 'InvalidArgument' });
    await expect(remove('a', 'x')).rejects.toMatchObject({ name: 'InvalidArgument' });
    await expect(read('a', other)).rejects.toMatchObject({ name: 'NoSuchVersion' });
    await expect(read('b', VersionId)).rejects.toMatchObject({ name: 'NoSuchVersion' });
    await expect(read('a', 'null')).rejects.toMatchObject({ name: 'NoSuchVersion' });
    const list = (markers: object) => client.send(new ListObjectVersionsCommand({ Bucket, ...markers }));
    for (const markers of [
      { VersionIdMarker: VersionId },
      { KeyMarker: 'a', VersionIdMarker: '' },
      { KeyMarker: 'a', VersionIdMarker: 'x' },
    ])
      await expect(list(markers)).rejects.toMatchObject({ name: 'InvalidArgument' });
  });
});

describe('permissions', () => {
  test('on versions are others than those on objects', async () => {
    const { write, client: owner, Bucket } = await versioned();
    const { VersionId } = await write('a', 'one');
    await write('a', 'two');
    const arn = `arn:aws:s3:::${Bucket}`;
    let roles = 0;
    const as = (...actions: string[]) =>
      new S3Client(
        endpoint.clientOptions(
          endpoint.role(
            `versions${Bucket}${++roles}`,
            ...actions.map((action) => allowing(`s3:${action}`, action.includes('Object') ? `${arn}/*` : arn)),
          ),
        ),
      );
    const version = { Bucket, Key: 'a', VersionId };
    const copy = new CopyObjectCommand({ Bucket, Key: 'b', CopySource: `${Bucket}/a?versionId=${VersionId}` });
    const deletions = new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a', VersionId }] } });
    const denied = { name: 'AccessDenied' };
    const onObjects = as('GetObject', 'PutObject', 'DeleteObject', 'ListBucket');
    await expect(onObjects.send(new GetObjectCommand(version))).rejects.toMatchObject(denied);
    await expect(onObjects.send(copy)).rejects.toMatchObject(denied);
    await expect(onObjects.send(new DeleteObjectCommand(version))).rejects.toMatchObject(denied);
    expect((await onObjects.send(deletions)).Errors).toMatchObject([{ Code: 'AccessDenied' }]);
    await expect(onObjects.send(new ListObjectVersionsCommand({ Bucket }))).rejects.toMatchObject(denied);
    await expect(onObjects.send(new GetBucketVersioningCommand({ Bucket }))).rejects.toMatchObject(denied);

    await as('GetObjectVersion', 'PutObject').send(copy);
    await as('ListBucketVersions').send(new ListObjectVersionsCommand({ Bucket }));
    await as('GetBucketVersioning').send(new GetBucketVersioningCommand({ Bucket }));
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await as('PutBucketVersioning').send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    await expect(as('GetObjectVersion').send(new GetObjectCommand({ Bucket, Key: 'a' }))).rejects.toMatchObject(denied);
    await expect(as('DeleteObjectVersion').send(new DeleteObjectCommand({ Bucket, Key: 'a' }))).rejects.toMatchObject(
      denied,
    );
    expect((await as('DeleteObjectVersion').send(deletions)).Deleted).toEqual([{ Key: 'a', VersionId }]);
    expect(await (await owner.send(new GetObjectCommand({ Bucket, Key: 'a' }))).Body?.transformToString()).toBe('two');
  });
});

describe('lifecycle rules', () => {
  async function ruled(rule: object) {
    // A clock that begins at noon, so that "the next midnight" is at a known distance.
    const start = new Date('2026-03-01T12:00:00Z').getTime();
    const own = await startLocalEndpoint({ clock: new Clock(() => start) });
    const bucket = await versioned(own);
    const lifecycle = [LifecycleRule.parse({ Status: 'Enabled', ...rule })];
    own.setBucketRules(bucket.Bucket, { lifecycle, cors: [] });
    return {
      ...bucket,
      close: () => own.close(),
      after: async (millis: number) => {
        own.advance(millis);
        await own.sweep();
        return bucket.listed();
      },
    };
  }

  test('delete versions days after they were replaced, and delete markers that have no versions left', async () => {
    const { write, remove, after, close } = await ruled({
      NoncurrentVersionExpiration: { NoncurrentDays: 2 },
      ExpiredObjectDeleteMarker: true,
    });
    const { VersionId: first } = await write('a', 'one');
    await after(5 * DAY_MS);
    const { VersionId: second } = await write('a', 'two');
    expect(await after(DAY_MS)).toEqual({ versions: [second, first], markers: [] });
    const { VersionId: marker } = await remove('a');
    expect(await after(1.5 * DAY_MS)).toEqual({ versions: [second], markers: [marker] });
    expect(await after(DAY_MS)).toEqual({ versions: [], markers: [] });
    await close();
  });

  test('count the days of a version from when it was replaced, although versioning is suspended later', async () => {
    const { write, after, close, ...bucket } = await ruled({ NoncurrentVersionExpiration: { NoncurrentDays: 3 } });
    const { VersionId } = await write('a', 'one');
    await setVersioning(bucket, 'Suspended');
    await write('a', 'two');
    expect(await after(2 * DAY_MS)).toEqual({ versions: ['null', VersionId], markers: [] });
    await write('a', 'three');
    expect(await after(1.5 * DAY_MS)).toEqual({ versions: ['null'], markers: [] });
    await close();
  });

  test('replace an expired object by a delete marker', async () => {
    const { write, after, close } = await ruled({ ExpirationInDays: 1 });
    const { VersionId } = await write('a', 'one');
    expect(await after(1.5 * DAY_MS)).toEqual({ versions: [VersionId], markers: [expect.any(String)] });
    await close();
  });
});

describe('a data folder', () => {
  const now = () => new Date('2026-03-01T12:00:00Z');
  const storeIn = (dataDir: string) =>
    new S3Store({ region: 'us-east-1', dataDir, now, allows: () => true, onCreated: () => {} });
  const inFolder = async (work: (folder: string) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), 's3-'));
    await work(folder).finally(() => rmSync(folder, { recursive: true }));
  };
  const textOf = async (store: S3Store, versionId?: string) => {
    const version = store.objects.version({ bucket: 'bucket', key: 'a', versionId });
    if (!version) return undefined;
    return (await collected(store.blobs.read(version.segments, { start: 0, end: version.size - 1 }))).toString();
  };

  test('has versions and their bytes after a restart, and still makes them', () =>
    inFolder(async (folder) => {
      const put = (store: S3Store, text: string) =>
        store.withBytes(Buffer.from(text), (segments) => {
          const content = { size: text.length, etag: text, headers: {}, checksum: undefined, segments };
          return store.objects.put({ bucket: 'bucket', key: 'a' }, content, { now: now(), only: {} }).object.versionId;
        });
      const before = storeIn(folder);
      before.buckets.create('bucket', now());
      before.buckets.setVersioning('bucket', 'Enabled');
      const first = await put(before, 'one');
      const second = await put(before, 'two');
      before.close();
      const after = storeIn(folder);
      const third = await put(after, 'three');
      expect(await Promise.all([first, second, third].map((id) => textOf(after, id)))).toEqual(['one', 'two', 'three']);
      after.close();
    }));

  test('of a release without versions keeps its objects', () =>
    inFolder(async (folder) => {
      const old = new DatabaseSync(join(folder, 's3.db'));
      old.exec(`
        CREATE TABLE buckets (name TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT;
        CREATE TABLE blobs (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
        CREATE TABLE objects (bucket TEXT NOT NULL REFERENCES buckets (name), key TEXT NOT NULL, size INTEGER NOT NULL,
          etag TEXT NOT NULL, modified_at INTEGER NOT NULL, headers TEXT NOT NULL, checksum TEXT, segments TEXT NOT NULL,
          PRIMARY KEY (bucket, key)) STRICT, WITHOUT ROWID;
        INSERT INTO buckets VALUES ('bucket', 1);
        INSERT INTO blobs VALUES ('s1', CAST('one' AS BLOB));
        INSERT INTO objects VALUES ('bucket', 'a', 3, 'e', 5, '{"x-amz-meta-a":"b"}', NULL, '[{"blob":"s1","size":3}]');
      `);
      old.close();
      for (const store of [storeIn(folder), storeIn(folder)]) {
        expect(await textOf(store)).toBe('one');
        const at = { bucket: 'bucket', key: 'a' };
        expect(store.objects.find(at)).toMatchObject({
          versionId: 'null',
          modifiedAt: new Date(5),
          headers: { 'x-amz-meta-a': 'b' },
        });
        store.close();
      }
    }));
});
