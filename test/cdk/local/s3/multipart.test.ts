import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  ChecksumAlgorithm,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { type TestBucket, testBucket } from './bucket.ts';

const PART_BYTES = 5 * 1024 * 1024;
let endpoint: LocalEndpoint;
let bucket: TestBucket;
let uploads = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  bucket = await testBucket(endpoint);
});
afterAll(() => endpoint.close());

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

async function start(more: Partial<CreateMultipartUploadCommandInput> = {}): Promise<Upload> {
  const at = { Bucket: bucket.Bucket, Key: `upload-${++uploads}` };
  const { UploadId = '' } = await bucket.client.send(new CreateMultipartUploadCommand({ ...at, ...more }));
  return { ...at, UploadId };
}

async function part(upload: Upload, PartNumber: number, Body: Buffer): Promise<CompletedPart> {
  const { ETag, ChecksumCRC32, ChecksumSHA256, ChecksumCRC64NVME } = await bucket.client.send(
    new UploadPartCommand({ ...upload, PartNumber, Body }),
  );
  return { PartNumber, ETag, ChecksumCRC32, ChecksumSHA256, ChecksumCRC64NVME };
}

function complete(upload: Upload, Parts: CompletedPart[], more: Partial<CompleteMultipartUploadCommandInput> = {}) {
  return bucket.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...more }));
}

const bytes = (fill: string, length = PART_BYTES) => Buffer.alloc(length, fill);

describe('an upload in parts', () => {
  test('becomes one object, whose parts can still be read', async () => {
    const upload = await start({ ContentType: 'text/x', Metadata: { a: '1' } });
    const second = await part(upload, 7, bytes('b', 3));
    const first = await part(upload, 2, bytes('a'));
    const { ETag } = await complete(upload, [first, second]);
    const md5 = (data: Buffer) => createHash('md5').update(data).digest();
    expect(ETag).toBe(`"${md5(Buffer.concat([md5(bytes('a')), md5(bytes('b', 3))])).toString('hex')}-2"`);
    const at = { Bucket: upload.Bucket, Key: upload.Key };
    const whole = await bucket.client.send(new GetObjectCommand(at));
    expect(whole).toMatchObject({ ContentType: 'text/x', Metadata: { a: '1' }, ContentLength: PART_BYTES + 3 });
    expect(
      Buffer.concat([bytes('a'), bytes('b', 3)]).equals(Buffer.from((await whole.Body?.transformToByteArray()) ?? [])),
    ).toBe(true);
    const across = await bucket.client.send(
      new GetObjectCommand({ ...at, Range: `bytes=${PART_BYTES - 2}-${PART_BYTES}` }),
    );
    expect(await across.Body?.transformToString()).toBe('aab');
  });

  test('can be read to its end although it is deleted meanwhile', async () => {
    const upload = await start();
    await complete(upload, [
      await part(upload, 1, bytes('a')),
      await part(upload, 2, bytes('b')),
      await part(upload, 3, bytes('c')),
    ]);
    const at = { Bucket: upload.Bucket, Key: upload.Key };
    const { Body } = await bucket.client.send(new GetObjectCommand(at));
    await bucket.client.send(new DeleteObjectCommand(at));
    const read = Buffer.from((await Body?.transformToByteArray()) ?? []);
    expect(read.equals(Buffer.concat([bytes('a'), bytes('b'), bytes('c')]))).toBe(true);
    await expect(bucket.client.send(new GetObjectCommand(at))).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('takes the last body of a part and leaves out what was not named', async () => {
    const upload = await start();
    await part(upload, 1, bytes('x'));
    const again = await part(upload, 1, bytes('y', 10));
    await part(upload, 2, bytes('z', 10));
    await complete(upload, [again]);
    const { Body } = await bucket.client.send(new GetObjectCommand({ Bucket: upload.Bucket, Key: upload.Key }));
    expect(await Body?.transformToString()).toBe('y'.repeat(10));
  });

  test('is refused with parts that are unknown, changed, unordered or too small', async () => {
    const upload = await start();
    const [one, two] = [await part(upload, 1, bytes('a', 10)), await part(upload, 2, bytes('b', 10))];
    await expect(complete(upload, [{ ...one, PartNumber: 9 }])).rejects.toMatchObject({ name: 'InvalidPart' });
    await expect(complete(upload, [{ ...one, ETag: two.ETag }])).rejects.toMatchObject({ name: 'InvalidPart' });
    await expect(complete(upload, [two, one])).rejects.toMatchObject({ name: 'InvalidPartOrder' });
    await expect(complete(upload, [one, two])).rejects.toMatchObject({ name: 'EntityTooSmall' });
    await expect(complete(upload, [])).rejects.toMatchObject({ name: 'MalformedXML' });
    await expect(part(upload, 10_001, bytes('c', 1))).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  test('is over once it is completed or aborted', async () => {
    const [completed, aborted] = [await start(), await start()];
    const one = await part(completed, 1, bytes('a', 10));
    await complete(completed, [one]);
    await bucket.client.send(new AbortMultipartUploadCommand(aborted));
    const gone = { name: 'NoSuchUpload' };
    await expect(complete(completed, [one])).rejects.toMatchObject(gone);
    await expect(part(aborted, 1, bytes('a', 1))).rejects.toMatchObject(gone);
    await expect(bucket.client.send(new ListPartsCommand(aborted))).rejects.toMatchObject(gone);
    await expect(part({ ...(await start()), Key: 'another' }, 1, bytes('a', 1))).rejects.toMatchObject(gone);
  });

  test('lists its parts, page by page', async () => {
    const upload = await start();
    for (const number of [1, 2, 3]) await part(upload, number, bytes('a', number));
    const first = await bucket.client.send(new ListPartsCommand({ ...upload, MaxParts: 2 }));
    expect(first).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '2', Parts: [{ Size: 1 }, { Size: 2 }] });
    const second = await bucket.client.send(new ListPartsCommand({ ...upload, PartNumberMarker: '2' }));
    expect(second).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 3, Size: 3 }] });
  });

  test('copies parts of other objects', async () => {
    await bucket.put('source', Buffer.concat([bytes('a'), bytes('b')]));
    const upload = await start();
    const CopySource = `${bucket.Bucket}/source`;
    const ranged = new UploadPartCopyCommand({
      ...upload,
      PartNumber: 1,
      CopySource,
      CopySourceRange: `bytes=${PART_BYTES - 1}-${2 * PART_BYTES - 1}`,
    });
    const { CopyPartResult } = await bucket.client.send(ranged);
    await complete(upload, [{ PartNumber: 1, ETag: CopyPartResult?.ETag }]);
    const { Body } = await bucket.client.send(
      new GetObjectCommand({ Bucket: upload.Bucket, Key: upload.Key, Range: 'bytes=0-2' }),
    );
    expect(await Body?.transformToString()).toBe('abb');
  });

  test('that is completed conditionally by many makes one object', async () => {
    const Key = 'contested-upload';
    const racing = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (fill) => {
        const upload = await start({ Key });
        return { upload: { ...upload, Key }, parts: [await part({ ...upload, Key }, 1, bytes(fill, 10))] };
      }),
    );
    const outcomes = await Promise.allSettled(
      racing.map(({ upload, parts }) => complete(upload, parts, { IfNoneMatch: '*' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const lost = outcomes.findIndex(({ status }) => status === 'rejected');
    expect(outcomes[lost]).toMatchObject({ reason: { name: 'PreconditionFailed' } });
    // What lost the race is still there to be completed without the condition.
    const { upload, parts } = racing[lost] ?? { upload: await start(), parts: [] };
    await complete(upload, parts);
  });

  test('announces itself once, when it is completed', async () => {
    const reasons: string[] = [];
    endpoint.onObjectCreated(({ reason, size }) => reasons.push(`${reason} ${size}`));
    const upload = await start();
    const one = await part(upload, 1, bytes('a', 10));
    expect(reasons).toEqual([]);
    await complete(upload, [one]);
    expect(reasons).toEqual(['CompleteMultipartUpload 10']);
  });
});

describe('the checksum of an upload', () => {
  test.each([
    [ChecksumAlgorithm.CRC32, 'COMPOSITE'],
    [ChecksumAlgorithm.SHA256, 'COMPOSITE'],
    [ChecksumAlgorithm.CRC64NVME, 'FULL_OBJECT'],
    [ChecksumAlgorithm.CRC32, 'FULL_OBJECT'],
  ] as const)('%s %s is made of its parts', async (algorithm, ChecksumType) => {
    const upload = await start({ ChecksumAlgorithm: algorithm, ChecksumType });
    const numbered = async (number: number, body: Buffer) => {
      const command = new UploadPartCommand({
        ...upload,
        PartNumber: number,
        Body: body,
        ChecksumAlgorithm: algorithm,
      });
      const { ETag, ChecksumCRC32, ChecksumSHA256, ChecksumCRC64NVME } = await bucket.client.send(command);
      return { PartNumber: number, ETag, ChecksumCRC32, ChecksumSHA256, ChecksumCRC64NVME };
    };
    const parts = [await numbered(1, bytes('a')), await numbered(2, bytes('b', 7))];
    const done = await complete(upload, parts, { ChecksumType });
    const field = `Checksum${algorithm}` as const;
    expect(done[field]).toMatch(ChecksumType === 'COMPOSITE' ? /-2$/ : /=$/);
    const head = new HeadObjectCommand({ Bucket: upload.Bucket, Key: upload.Key, ChecksumMode: 'ENABLED' });
    expect(await bucket.client.send(head)).toMatchObject({ [field]: done[field], ChecksumType });
    if (ChecksumType === 'FULL_OBJECT') {
      const { Body } = await bucket.client.send(
        new GetObjectCommand({ Bucket: upload.Bucket, Key: upload.Key, ChecksumMode: 'ENABLED' }),
      );
      expect((await Body?.transformToByteArray())?.length).toBe(PART_BYTES + 7);
    }
  });

  test('refuses a part whose checksum is another than the one that was uploaded', async () => {
    const upload = await start({ ChecksumAlgorithm: 'CRC32' });
    const one = await part(upload, 1, bytes('a', 10));
    await expect(complete(upload, [{ ...one, ChecksumCRC32: 'AAAAAA==' }])).rejects.toMatchObject({
      name: 'InvalidPart',
    });
    const other = new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'x', ChecksumAlgorithm: 'SHA1' });
    await expect(bucket.client.send(other)).rejects.toMatchObject({ name: 'InvalidRequest' });
  });
});
