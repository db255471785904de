import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';
import { setVersioning, type TestBucket, testBucket } from './bucket.ts';

let endpoint: LocalEndpoint;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

interface Listed {
  readonly key: string;
  readonly id: string;
  readonly isMarker: boolean;
  readonly isLatest: boolean;
}

/** All pages, each with its versions before its delete markers, and the numbers of entries of the pages. */
async function allPages({ client, Bucket }: TestBucket, question: Partial<ListObjectVersionsCommandInput> = {}) {
  const listed: Listed[] = [];
  const prefixes: string[] = [];
  const sizes: number[] = [];
  let markers: Pick<ListObjectVersionsCommandInput, 'KeyMarker' | 'VersionIdMarker'> | undefined = {};
  while (markers !== undefined) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, ...question, ...markers }),
    );
    const entries = [
      ...(page.Versions ?? []).map((version) => ({ ...version, isMarker: false })),
      ...(page.DeleteMarkers ?? []).map((marker) => ({ ...marker, isMarker: true })),
    ];
    for (const { Key = '', VersionId = '', IsLatest = false, isMarker } of entries)
      listed.push({ key: Key, id: VersionId, isMarker, isLatest: IsLatest });
    const common = (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => Prefix);
    prefixes.push(...common);
    sizes.push(entries.length + common.length);
    markers = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : undefined;
  }
  return { listed, prefixes, sizes };
}

describe('a listing of versions', () => {
  test('has the newest version of a key first, and each one once, whatever the page size', async () => {
    const bucket = await testBucket(endpoint);
    await setVersioning(bucket, 'Enabled');
    for (const key of ['b', 'a', 'b', 'a/b', 'b']) await bucket.put(key);
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.Bucket, Key: 'a' }));
    const { listed } = await allPages(bucket);
    expect(listed.filter(({ isMarker }) => !isMarker).map(({ key }) => key)).toEqual(['a', 'a/b', 'b', 'b', 'b']);
    expect(listed.filter(({ isLatest }) => isLatest).map(({ key }) => key)).toEqual(['a/b', 'b', 'a']);
    const { listed: byOne, sizes } = await allPages(bucket, { MaxKeys: 1 });
    expect(byOne.map(({ key }) => key)).toEqual(['a', 'a', 'a/b', 'b', 'b', 'b']);
    expect(sizes).toEqual([1, 1, 1, 1, 1, 1]);
    expect((await allPages(bucket, { MaxKeys: 0 })).sizes).toEqual([0]);
  });

  test('goes on behind versions that were deleted since the page before', async () => {
    const bucket = await testBucket(endpoint);
    const { client, Bucket, put } = bucket;
    await put('a');
    await setVersioning(bucket, 'Enabled');
    for (const key of ['a', 'a', 'b']) await put(key);
    let deletions = 0;
    let markers: object | undefined = {};
    while (markers !== undefined) {
      const page: ListObjectVersionsCommandOutput = await client.send(
        new ListObjectVersionsCommand({ Bucket, MaxKeys: 1, ...markers }),
      );
      for (const { Key, VersionId } of page.Versions ?? []) {
        await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
        deletions += 1;
      }
      markers = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : undefined;
    }
    expect(deletions).toBe(4);
    expect((await allPages(bucket)).listed).toEqual([]);
  });

  test('is URL-encoded on request, and of a bucket without versions has null versions', async () => {
    const bucket = await testBucket(endpoint);
    await bucket.put('a b/ü');
    const { Bucket } = bucket;
    const page = await bucket.client.send(new ListObjectVersionsCommand({ Bucket, EncodingType: 'url' }));
    expect(page).toMatchObject({
      EncodingType: 'url',
      Versions: [{ Key: 'a%20b/%C3%BC', VersionId: 'null', IsLatest: true, Size: 6, StorageClass: 'STANDARD' }],
    });
  });
});

type Step =
  | { readonly kind: 'put'; readonly key: string }
  | { readonly kind: 'delete'; readonly key: string }
  | { readonly kind: 'delete-version'; readonly nth: number }
  | { readonly kind: 'set'; readonly status: 'Enabled' | 'Suspended' };

interface ModelVersion {
  readonly id: string;
  /** undefined for a delete marker. */
  readonly text: string | undefined;
}

/** A bucket as S3 describes it: the versions of each key, the newest first. */
class Model {
  readonly keys = new Map<string, ModelVersion[]>();
  status: 'Enabled' | 'Suspended' | undefined;

  add(key: string, version: ModelVersion) {
    const before = this.keys.get(key) ?? [];
    this.keys.set(key, [version, ...before.filter(({ id }) => id !== version.id)]);
  }

  remove(key: string, id: string) {
    const left = (this.keys.get(key) ?? []).filter((version) => version.id !== id);
    if (left.length > 0) this.keys.set(key, left);
    else this.keys.delete(key);
  }

  all() {
    const keys = [...this.keys].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    return keys.flatMap(([key, versions]) =>
      versions.map(({ id, text }, nth) => ({ key, id, text, isLatest: nth === 0 })),
    );
  }
}

/** Does a step in the bucket and in the model. The bucket chooses the ids. */
async function take(step: Step, { client, Bucket }: TestBucket, model: Model, text: string): Promise<void> {
  if (step.kind === 'set') {
    await setVersioning({ client, Bucket, put: async () => '' }, step.status);
    model.status = step.status;
  } else if (step.kind === 'put') {
    const { VersionId } = await client.send(new PutObjectCommand({ Bucket, Key: step.key, Body: text }));
    expect(VersionId === undefined).toBe(model.status !== 'Enabled');
    model.add(step.key, { id: VersionId ?? 'null', text });
  } else if (step.kind === 'delete') {
    const { VersionId } = await client.send(new DeleteObjectCommand({ Bucket, Key: step.key }));
    if (model.status === undefined) model.remove(step.key, 'null');
    else model.add(step.key, { id: VersionId ?? '', text: undefined });
  } else {
    const versions = model.all();
    const version = versions[step.nth % versions.length];
    if (!version) return;
    await client.send(new DeleteObjectCommand({ Bucket, Key: version.key, VersionId: version.id }));
    model.remove(version.key, version.id);
  }
}

async function compare(bucket: TestBucket, model: Model, { MaxKeys, Prefix }: { MaxKeys: number; Prefix: string }) {
  const { client, Bucket } = bucket;
  const expected = model.all();
  const asListed = (versions: typeof expected) =>
    versions.map(({ key, id, text, isLatest }) => ({ key, id, isMarker: text === undefined, isLatest }));
  const inOrder = (entries: readonly Listed[]) => [
    ...entries.filter(({ isMarker }) => !isMarker),
    ...entries.filter(({ isMarker }) => isMarker),
  ];
  const { listed, sizes } = await allPages(bucket, { MaxKeys });
  expect(inOrder(listed)).toEqual(inOrder(asListed(expected)));
  expect(sizes.slice(0, -1).every((size) => size === MaxKeys)).toBe(true);

  const matching = expected.filter(({ key }) => key.startsWith(Prefix));
  const end = (key: string) => key.indexOf('/', Prefix.length) + 1;
  const folded = await allPages(bucket, { MaxKeys, Prefix, Delimiter: '/' });
  expect(inOrder(folded.listed)).toEqual(inOrder(asListed(matching.filter(({ key }) => end(key) === 0))));
  const common = matching.filter(({ key }) => end(key) > 0).map(({ key }) => key.slice(0, end(key)));
  expect(folded.prefixes).toEqual([...new Set(common)]);

  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  const current = expected.filter(({ isLatest, text }) => isLatest && text !== undefined);
  expect(Contents.map(({ Key }) => Key)).toEqual(current.map(({ key }) => key));
  for (const { key: Key, id: VersionId, text } of expected) {
    const reading = client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    if (text === undefined) await expect(reading).rejects.toMatchObject({ name: 'MethodNotAllowed' });
    else expect(await (await reading).Body?.transformToString()).toBe(text);
  }
}

describe('a bucket', () => {
  test('has the versions that S3 would have after any writes, deletions and changes of its versioning', async () => {
    const key = fc.constantFrom('a', 'a/', 'a/b', 'a/b/c', 'b');
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), key }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete-version' as const), nth: fc.nat({ max: 20 }) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('set' as const),
          status: fc.constantFrom('Enabled' as const, 'Suspended' as const),
        }),
      },
    );
    const page = fc.record({ MaxKeys: fc.integer({ min: 1, max: 4 }), Prefix: fc.constantFrom('', 'a', 'a/') });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 20 }), page, async (steps, question) => {
      const bucket = await testBucket(endpoint);
      const model = new Model();
      for (const [nth, one] of steps.entries()) await take(one, bucket, model, `text ${nth}`);
      await compare(bucket, model, question);
    });
    await fc.assert(property, { numRuns: isThorough ? 300 : 8 });
  });
});
