import { DeleteObjectsCommand, ListObjectsV2Command, type ListObjectsV2CommandInput } from '@aws-sdk/client-s3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';
import { type TestBucket, testBucket } from './bucket.ts';

let endpoint: LocalEndpoint;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

async function filled(...keys: string[]): Promise<TestBucket> {
  const bucket = await testBucket(endpoint);
  for (const key of keys) await bucket.put(key, 'x');
  return bucket;
}

/** Keys and common prefixes of all pages, in the order in which they came. */
async function listed({ client, Bucket }: TestBucket, question: Partial<ListObjectsV2CommandInput> = {}) {
  const keys: string[] = [];
  const prefixes: string[] = [];
  const pages: number[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket, ...question, ContinuationToken }));
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''));
    prefixes.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix ?? ''));
    pages.push(page.KeyCount ?? -1);
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
  return { keys, prefixes, pages };
}

const inByteOrder = (keys: readonly string[]) =>
  [...new Set(keys)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe('a listing', () => {
  test('goes through more than a thousand keys without losing or repeating one', async () => {
    const bucket = await testBucket(endpoint);
    const more = isThorough ? 205 : 2;
    const keys = Array.from({ length: 1000 + more }, (_, i) => `Key-${i % 2 ? 'a' : 'B'}-${i}`);
    const queue = keys.values();
    const workers = Array.from({ length: 20 }, async () => {
      for (const key of queue) await bucket.put(key, 'x');
    });
    await Promise.all(workers);
    const { keys: listedKeys, pages } = await listed(bucket);
    expect(listedKeys).toEqual(inByteOrder(keys));
    expect(pages).toEqual([1000, more]);
    const some = { Objects: keys.slice(0, 1000).map((Key) => ({ Key })) };
    const { Deleted } = await bucket.client.send(new DeleteObjectsCommand({ Bucket: bucket.Bucket, Delete: some }));
    expect(Deleted).toHaveLength(1000);
    expect((await listed(bucket)).keys).toHaveLength(more);
  });

  test('is in the order of bytes, also beyond the basic plane and of capital letters', async () => {
    const keys = ['b', 'B', 'a', 'é', '\u{FFFD}', '🙂', 'Z', 'z'];
    expect((await listed(await filled(...keys))).keys).toEqual(inByteOrder(keys));
  });

  test('starts after a key and keeps to a prefix', async () => {
    const bucket = await filled('a/1', 'a/2', 'a/3', 'b/1', 'a');
    expect((await listed(bucket, { Prefix: 'a/' })).keys).toEqual(['a/1', 'a/2', 'a/3']);
    expect((await listed(bucket, { Prefix: 'a/', StartAfter: 'a/1' })).keys).toEqual(['a/2', 'a/3']);
    expect((await listed(bucket, { StartAfter: 'a/2' })).keys).toEqual(['a/3', 'b/1']);
    expect((await listed(bucket, { Prefix: 'c' })).keys).toEqual([]);
  });

  test('folds keys into common prefixes', async () => {
    const bucket = await filled('2026/01/a', '2026/01/b', '2026/02/c', '2026/index', 'readme');
    expect(await listed(bucket, { Delimiter: '/' })).toMatchObject({ keys: ['readme'], prefixes: ['2026/'] });
    expect(await listed(bucket, { Delimiter: '/', Prefix: '2026/' })).toMatchObject({
      keys: ['2026/index'],
      prefixes: ['2026/01/', '2026/02/'],
    });
  });

  test('finds every key and prefix exactly once, whatever the page size', async () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é'), minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(
      fc.uniqueArray(key, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('', 'a', 'a/'),
      async (keys, MaxKeys, Prefix) => {
        const bucket = await filled(...keys);
        const matching = inByteOrder(keys.filter((one) => one.startsWith(Prefix)));
        expect((await listed(bucket, { MaxKeys, Prefix })).keys).toEqual(matching);
        const slash = (one: string) => one.indexOf('/', Prefix.length);
        expect(await listed(bucket, { MaxKeys, Prefix, Delimiter: '/' })).toMatchObject({
          keys: matching.filter((one) => slash(one) < 0),
          prefixes: inByteOrder(matching.filter((one) => slash(one) >= 0).map((one) => one.slice(0, slash(one) + 1))),
        });
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  test('is URL-encoded on request', async () => {
    const { client, Bucket } = await filled('a b/ü');
    expect(await client.send(new ListObjectsV2Command({ Bucket, EncodingType: 'url' }))).toMatchObject({
      EncodingType: 'url',
      Contents: [{ Key: 'a%20b/%C3%BC' }],
    });
  });

  test('of nothing at all, or of zero keys, ends', async () => {
    const bucket = await filled('a');
    expect(await bucket.client.send(new ListObjectsV2Command({ Bucket: bucket.Bucket, MaxKeys: 0 }))).toMatchObject({
      IsTruncated: false,
      KeyCount: 0,
    });
    expect(await listed(await filled())).toMatchObject({ keys: [], pages: [0] });
  });
});
