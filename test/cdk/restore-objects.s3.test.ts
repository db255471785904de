import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../cdk/local/clock.ts';
import { restoreObjects } from '../../cdk/restore-objects.s3.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../support/cloud/local-endpoint.ts';
import { setVersioning, testBucket } from './local/s3/bucket.ts';

const MINUTE = 60_000;
const PART_BYTES = 5 * 1024 * 1024;

let endpoint: LocalEndpoint;
const clock = new Clock();
const events: string[] = [];

beforeAll(async () => {
  clock.stop();
  endpoint = await startLocalEndpoint({ clock });
  endpoint.onObjectCreated(({ key }) => events.push(key));
});
afterAll(() => endpoint.close());

async function versionedBucket() {
  const bucket = await testBucket(endpoint);
  const { client, Bucket, put } = bucket;
  await setVersioning(bucket, 'Enabled');
  return {
    put,
    remove: (Key: string) => client.send(new DeleteObjectCommand({ Bucket, Key })),
    putAs: (Key: string, ContentType: string, Body: string | Buffer) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, Metadata: { from: 'test' } })),
    get: (Key: string) => client.send(new GetObjectCommand({ Bucket, Key })),
    text: async (Key: string) => (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString(),
    restore: (options: Parameters<typeof restoreObjects>[1], beforeCopy: () => Promise<unknown> = async () => {}) =>
      restoreObjects({ name: Bucket, client: clientWith(beforeCopy) }, options),
  };
}

/** A client that gets two versions to a page, and does something before it copies. */
function clientWith(beforeCopy: () => Promise<unknown>): S3Client {
  const client = new S3Client({ ...endpoint.clientOptions(), maxAttempts: 2 });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'ListObjectVersionsCommand') Object.assign(args.input, { MaxKeys: 2 });
        if (commandName === 'CopyObjectCommand') await beforeCopy();
        return next(args);
      },
    { step: 'initialize' },
  );
  return client;
}

/** Lets a minute pass before and after the time that it returns. */
function aMoment(): number {
  clock.advance(MINUTE);
  const at = clock.millis();
  clock.advance(MINUTE);
  return at;
}

describe('a restore of objects', () => {
  it('copies what is missing, replaces what differs only on request, and changes nothing else', async () => {
    const { put, remove, text, restore } = await versionedBucket();
    await put('deleted-before', 'x');
    await remove('deleted-before');
    for (const key of ['same', 'changed', 'deleted', 'ü +?/deleted', 'put-again']) {
      await put(key, `${key} 0`);
      await put(key, `${key} 1`);
    }
    const to = aMoment();
    await put('changed', 'changed 2');
    await put('put-again', 'put-again 1');
    await put('later', 'later 1');
    for (const key of ['deleted', 'ü +?/deleted']) await remove(key);
    clock.advance(MINUTE);

    expect(await restore({ to })).toEqual({ missing: 2, same: 2, differing: ['changed'] });
    expect(await restore({ to })).toEqual({ missing: 0, same: 4, differing: ['changed'] });
    expect(await text('changed')).toBe('changed 2');
    expect(await restore({ to, replace: true })).toEqual({ missing: 0, same: 4, differing: ['changed'] });
    expect(await restore({ to, replace: true })).toEqual({ missing: 0, same: 5, differing: [] });
    for (const key of ['same', 'changed', 'deleted', 'ü +?/deleted', 'put-again', 'later'])
      expect(await text(key)).toBe(`${key} 1`);
    await expect(text('deleted-before')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('copies only keys with the prefix, and the oldest first', async () => {
    const { put, remove, restore } = await versionedBucket();
    const keys = ['in/c', 'in/a', 'out/d', 'in/b'];
    for (const key of keys) {
      await put(key);
      clock.advance(MINUTE);
    }
    const to = aMoment();
    for (const key of keys) await remove(key);
    clock.advance(MINUTE);
    events.length = 0;
    expect(await restore({ to, keys: 'in/' })).toEqual({ missing: 3, same: 0, differing: [] });
    expect(events).toEqual(['in/c', 'in/a', 'in/b']);
  });

  it('copies a large object in parts, with its headers, and knows it again', async () => {
    const { putAs, remove, get, restore } = await versionedBucket();
    const body = Buffer.alloc(PART_BYTES + 3, 'x').fill('y', PART_BYTES);
    await putAs('large', 'text/csv', body);
    const to = aMoment();
    await remove('large');
    const counts = { missing: 1, same: 0, differing: [] };
    expect(await restore({ to, copyBytesMax: PART_BYTES })).toEqual(counts);
    const { Body, ETag, ...headers } = await get('large');
    expect(headers).toMatchObject({ ContentType: 'text/csv', Metadata: { from: 'test' } });
    expect(ETag).toMatch(/-2"$/);
    expect(body.equals(Buffer.from(await Body!.transformToByteArray()))).toBe(true);
    expect(await restore({ to })).toEqual({ missing: 0, same: 1, differing: [] });
  });

  it('stops at an object that somebody has written since it was listed, and can be repeated', async () => {
    const { put, remove, text, restore } = await versionedBucket();
    await put('a', 'before');
    await put('b', 'before');
    const to = aMoment();
    await remove('a');
    await put('b', 'after');
    const refusal = (key: string) => new Error(`${key} was written meanwhile. Repeat the command.`);
    await expect(restore({ to }, () => put('a', 'meanwhile'))).rejects.toThrow(refusal('a'));
    expect(await text('a')).toBe('meanwhile');
    await put('a', 'before');
    await expect(restore({ to, replace: true }, () => put('b', 'meanwhile'))).rejects.toThrow(refusal('b'));
    expect(await text('b')).toBe('meanwhile');
    await restore({ to, replace: true });
    expect(await text('b')).toBe('before');
  });
});
