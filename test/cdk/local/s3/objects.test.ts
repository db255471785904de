import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';
import { type TestBucket, testBucket } from './bucket.ts';

/** Many of the chunks in which it is kept. */
const MEGABYTES = isThorough ? 100 : 20;

let endpoint: LocalEndpoint;
let bucket: TestBucket;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  bucket = await testBucket(endpoint);
});
afterAll(() => endpoint.close());

function get(Key: string, more: Partial<GetObjectCommandInput> = {}) {
  return bucket.client.send(new GetObjectCommand({ Bucket: bucket.Bucket, Key, ...more }));
}

async function text(Key: string, more: Partial<GetObjectCommandInput> = {}): Promise<string | undefined> {
  return (await get(Key, more)).Body?.transformToString();
}

function put(Key: string, Body: PutObjectCommandInput['Body'], more: Partial<PutObjectCommandInput> = {}) {
  return bucket.client.send(new PutObjectCommand({ Bucket: bucket.Bucket, Key, Body, ...more }));
}

describe('an object', () => {
  test('is read as it was written, with its headers and metadata', async () => {
    const written = {
      ContentType: 'text/csv',
      CacheControl: 'no-store',
      ContentDisposition: 'attachment; filename="a.csv"',
      ContentEncoding: 'identity',
      ContentLanguage: 'de',
      Metadata: { owner: 'tenant-1', empty: '' },
    };
    await put('report', 'a,b', written);
    expect(await get('report')).toMatchObject({ ...written, ContentLength: 3, ServerSideEncryption: 'AES256' });
    expect(await bucket.client.send(new HeadObjectCommand({ Bucket: bucket.Bucket, Key: 'report' }))).toMatchObject({
      ...written,
      ContentLength: 3,
    });
    expect(await text('report')).toBe('a,b');
  });

  test('may have any key, and its event carries it unchanged', async () => {
    const keys: string[] = [];
    endpoint.onObjectCreated(({ key }) => keys.push(key));
    const key = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((candidate) => !/^\.{1,2}(\/|$)|\/\.{1,2}(\/|$)|\0/.test(candidate));
    const examples = ['a b', 'a+b', 'a%20b', 'ü/ö?#', 'a//b', "it's(1)!*", '&<>"', '日本', 'trailing/', 'a=b;c,d'].map(
      (one): [string] => [one],
    );
    const round = fc.asyncProperty(key, async (Key) => {
      await bucket.put(Key);
      expect(await text(Key)).toBe(Key);
      expect(keys.at(-1)).toBe(Key);
    });
    await fc.assert(round, { examples, numRuns: 60 });
  });

  test('that is empty is an object', async () => {
    await put('empty', Buffer.alloc(0));
    expect(await get('empty')).toMatchObject({ ContentLength: 0 });
    expect(await text('empty')).toBe('');
    await expect(get('empty', { Range: 'bytes=0-' })).rejects.toMatchObject({ name: 'InvalidRange' });
  });

  test('that does not exist is not found', async () => {
    await expect(get('missing')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(
      bucket.client.send(new HeadObjectCommand({ Bucket: bucket.Bucket, Key: 'missing' })),
    ).rejects.toMatchObject({ name: 'NotFound' });
    await expect(
      bucket.client.send(new GetObjectCommand({ Bucket: 'no-such-bucket', Key: 'x' })),
    ).rejects.toMatchObject({ name: 'NoSuchBucket' });
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.Bucket, Key: 'missing' }));
  });

  test('is given under other headers on request', async () => {
    await bucket.put('overridden');
    const overrides = {
      ResponseContentDisposition: 'attachment; filename="ü.csv"',
      ResponseContentType: 'text/x',
      ResponseCacheControl: 'private',
    };
    expect(await get('overridden', overrides)).toMatchObject({ ContentType: 'text/x', CacheControl: 'private' });
  });

  test(`of ${MEGABYTES} megabytes goes through one PUT`, async () => {
    const body = Buffer.alloc(MEGABYTES * 1_000_000, 'x');
    await put('large', body);
    const { Body, ContentLength } = await get('large');
    expect(ContentLength).toBe(body.length);
    expect(body.equals(Buffer.from((await Body?.transformToByteArray()) ?? []))).toBe(true);
    expect(await text('large', { Range: `bytes=${body.length - 10}-` })).toBe('x'.repeat(10));
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.Bucket, Key: 'large' }));
  });

  test('is refused with what S3 has and this endpoint lacks, instead of half stored', async () => {
    await bucket.put('plain');
    const notImplemented = { name: 'NotImplemented' };
    const at = { Bucket: bucket.Bucket, Key: 'plain' };
    await expect(
      bucket.client.send(new PutObjectTaggingCommand({ ...at, Tagging: { TagSet: [] } })),
    ).rejects.toMatchObject(notImplemented);
    await expect(bucket.client.send(new PutObjectAclCommand({ ...at, ACL: 'private' }))).rejects.toMatchObject(
      notImplemented,
    );
    await expect(put('plain', 'x', { Tagging: 'a=b' })).rejects.toMatchObject(notImplemented);
    await expect(put('plain', 'x', { ACL: 'public-read' })).rejects.toMatchObject({
      name: 'AccessControlListNotSupported',
    });
    expect(await text('plain')).toBe('plain');
  });
});

describe('a range', () => {
  const body = '0123456789';

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-100', body, 'bytes 0-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
  ])('%s gives %s', async (Range, expected, ContentRange) => {
    await put('ranged', body);
    const answer = await get('ranged', { Range });
    expect(answer).toMatchObject({ ContentRange, ContentLength: expected.length, $metadata: { httpStatusCode: 206 } });
    expect(await answer.Body?.transformToString()).toBe(expected);
  });

  test.each(['bytes=10-', 'bytes=100-200', 'bytes=-0'])('%s cannot be satisfied', async (Range) => {
    await put('ranged', body);
    await expect(get('ranged', { Range })).rejects.toMatchObject({
      name: 'InvalidRange',
      $metadata: { httpStatusCode: 416 },
    });
  });

  test.each(['bytes=3-1', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,4-5'])('%s gives the whole object', async (Range) => {
    await put('ranged', body);
    expect(await text('ranged', { Range })).toBe(body);
  });
});

describe('a checksum', () => {
  test('is verified, whichever it is', async () => {
    const wrong = {
      ChecksumCRC32: 'AAAAAA==',
      ChecksumCRC32C: 'AAAAAA==',
      ChecksumCRC64NVME: 'AAAAAAAAAAA=',
      ChecksumSHA1: '2jmj7l5rSw0yVb/vlWAYkK/YBwk=',
      ChecksumSHA256: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      ContentMD5: '1B2M2Y8AsgTpgAmy7PhCfg==',
    };
    for (const [name, value] of Object.entries(wrong)) {
      await expect(put('checked', 'hello', { [name]: value })).rejects.toMatchObject({ name: 'BadDigest' });
    }
    const right = {
      ChecksumCRC32: 'NhCmhg==',
      ChecksumCRC32C: 'mnG7TA==',
      ChecksumSHA1: 'qvTGHdzF6KLavt4PO0gs2a6pQ00=',
      ChecksumSHA256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=',
      ContentMD5: 'XUFAKrxLKna5cZ2REBfFkg==',
    };
    for (const [name, value] of Object.entries(right)) await put('checked', 'hello', { [name]: value });
    await expect(put('checked', 'hello', { ContentMD5: 'short' })).rejects.toMatchObject({ name: 'InvalidDigest' });
  });

  test.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
    '%s of the SDK is kept and comes back',
    async (ChecksumAlgorithm) => {
      const written = await put('summed', 'hello', { ChecksumAlgorithm });
      const field = `Checksum${ChecksumAlgorithm}` as const;
      expect(written[field]).toBeTruthy();
      const head = await bucket.client.send(
        new HeadObjectCommand({ Bucket: bucket.Bucket, Key: 'summed', ChecksumMode: 'ENABLED' }),
      );
      expect(head[field]).toBe(written[field]);
    },
  );

  test('after a body of unknown length is verified too', async () => {
    const stream = () => Readable.from([Buffer.from('hel'), Buffer.from('lo')]);
    await put('streamed', stream(), { ContentLength: 5 });
    expect(await text('streamed')).toBe('hello');
    const read = await get('streamed');
    expect(read.ChecksumCRC32).toBe('NhCmhg==');
    expect(read.ContentEncoding).toBeUndefined();
  });
});

describe('conditions', () => {
  test('let one of many writers win', async () => {
    const writers = Array.from({ length: 8 }, (_, i) => put('contested', `${i}`.repeat(200_000), { IfNoneMatch: '*' }));
    const outcomes = await Promise.allSettled(writers);
    const lost = outcomes.filter(({ status }) => status === 'rejected');
    expect(lost).toHaveLength(7);
    for (const outcome of lost)
      expect(outcome).toMatchObject({ reason: { name: 'PreconditionFailed', $metadata: { httpStatusCode: 412 } } });
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect((await text('contested'))?.[0]).toBe(`${winner}`);
  });

  test('write only over the expected object', async () => {
    const ETag = await bucket.put('versioned', 'one');
    await expect(put('versioned', 'two', { IfMatch: '"0123"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(put('not-there', 'two', { IfMatch: ETag })).rejects.toMatchObject({ name: 'NoSuchKey' });
    await put('versioned', 'two', { IfMatch: ETag });
    expect(await text('versioned')).toBe('two');
    const deletion = new DeleteObjectCommand({ Bucket: bucket.Bucket, Key: 'versioned', IfMatch: ETag });
    await expect(bucket.client.send(deletion)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(put('versioned', 'x', { IfNoneMatch: ETag })).rejects.toMatchObject({ name: 'NotImplemented' });
  });

  test('read only the expected object', async () => {
    const ETag = await bucket.put('read-if', 'one');
    const notModified = { $metadata: { httpStatusCode: 304 } };
    const failed = { name: 'PreconditionFailed', $metadata: { httpStatusCode: 412 } };
    expect(await text('read-if', { IfMatch: ETag })).toBe('one');
    expect(await text('read-if', { IfNoneMatch: '"0123"' })).toBe('one');
    await expect(get('read-if', { IfMatch: '"0123"' })).rejects.toMatchObject(failed);
    await expect(get('read-if', { IfNoneMatch: ETag })).rejects.toMatchObject(notModified);
    const [before, after] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
    expect(await text('read-if', { IfModifiedSince: before })).toBe('one');
    await expect(get('read-if', { IfModifiedSince: after })).rejects.toMatchObject(notModified);
    await expect(get('read-if', { IfUnmodifiedSince: before })).rejects.toMatchObject(failed);
    expect(await text('read-if', { IfMatch: ETag, IfUnmodifiedSince: before })).toBe('one');
  });
});

describe('a copy', () => {
  const copy = (Key: string, source: string, more = {}) =>
    bucket.client.send(
      new CopyObjectCommand({
        Bucket: bucket.Bucket,
        Key,
        CopySource: `${bucket.Bucket}/${encodeURIComponent(source)}`,
        ...more,
      }),
    );

  test('keeps or replaces the headers and outlives its source', async () => {
    await put('source ü', 'original', { ContentType: 'text/x', Metadata: { a: '1' } });
    await copy('kept', 'source ü');
    await copy('replaced', 'source ü', { MetadataDirective: 'REPLACE', Metadata: { b: '2' }, ContentType: 'text/y' });
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.Bucket, Key: 'source ü' }));
    expect(await get('kept')).toMatchObject({ ContentType: 'text/x', Metadata: { a: '1' } });
    expect(await get('replaced')).toMatchObject({ ContentType: 'text/y', Metadata: { b: '2' } });
    expect(await text('kept')).toBe('original');
  });

  test('is made only under its conditions, and never of nothing', async () => {
    const ETag = await bucket.put('conditional');
    await copy('copied', 'conditional', { CopySourceIfMatch: ETag });
    await expect(copy('copied', 'conditional', { CopySourceIfMatch: '"0123"' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await expect(copy('copied', 'conditional', { CopySourceIfNoneMatch: ETag })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await expect(copy('copied', 'missing')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(copy('conditional', 'conditional')).rejects.toMatchObject({ name: 'InvalidRequest' });
  });
});

describe('events', () => {
  test('tell what happened, by whom and in which order', async () => {
    const own = await startLocalEndpoint();
    const events: string[] = [];
    const sequencers: string[] = [];
    own.onObjectCreated(({ key, size, etag, reason, requester, sequencer }) => {
      events.push(`${reason} ${key} ${size} ${etag} ${requester}`);
      sequencers.push(sequencer);
    });
    const { client, Bucket, put } = await testBucket(own);
    await put('a b', 'hello');
    await client.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/a%20b` }));
    const root = 'arn:aws:iam::000000000000:root';
    const etag = '5d41402abc4b2a76b9719d911017c592';
    expect(events).toEqual([`PutObject a b 5 ${etag} ${root}`, `CopyObject c 5 ${etag} ${root}`]);
    expect(sequencers).toEqual([...new Set(sequencers)].sort());
    await own.close();
  });

  test('are not sent for what was refused', async () => {
    let count = 0;
    endpoint.onObjectCreated(() => count++);
    await expect(put('refused', 'hello', { ContentMD5: '1B2M2Y8AsgTpgAmy7PhCfg==' })).rejects.toThrow();
    await bucket.put('existing');
    await expect(put('existing', 'x', { IfNoneMatch: '*' })).rejects.toThrow();
    const stranger = new S3Client(endpoint.clientOptions(endpoint.role('writeless')));
    await expect(stranger.send(new PutObjectCommand({ Bucket: bucket.Bucket, Key: 'x', Body: 'x' }))).rejects.toThrow();
    expect(count).toBe(1);
  });
});
