import { CreateBucketCommand, GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importUploads } from '../../../../shared/import/uploads/import-uploads.s3.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const MIB = 1024 ** 2;
const Bucket = 'imports-uploading';
const target = {
  folder: 'demo',
  fields: {
    type: 'places',
    singular: 'place',
    names: ['name'],
    has: (path: string) => path === 'name',
  },
};

let endpoint: LocalEndpoint;
let s3: S3Client;
let uploads: ReturnType<typeof importUploads>;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  s3 = new S3Client({
    ...endpoint.clientOptions(),
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await s3.send(new CreateBucketCommand({ Bucket }));
  uploads = importUploads(Bucket, s3);
});
afterAll(() => endpoint.close());

const begin = (bytes: number, name = 'file.csv') => uploads.begin(target, { name, bytes }, NOW);
const put = async (url: string, body: Uint8Array<ArrayBuffer> | string) =>
  expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
const textOf = async (Key: string) => (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

describe('an upload of an import', () => {
  it('takes parts of their own length only', async () => {
    const { links } = await begin(8 * MIB + 3);
    expect((await fetch(links[1]!.url, { method: 'PUT', body: 'four' })).status).toBe(403);
    await put(links[1]!.url, 'abc');
  });

  it('is one object once all its parts are there, with its map beside it', async () => {
    const body = new Uint8Array(8 * MIB + 3).fill(0x61);
    const { key, uploadId, partBytes, links, expiresAt } = await begin(body.length, 'größe, 1.csv');
    expect(key).toMatch(/^demo\/2026-11-26\/[\w-]+\/größe, 1\.csv$/);
    expect([partBytes, links.map(({ part }) => part), expiresAt]).toEqual([
      8 * MIB,
      [1, 2],
      '2026-11-26T18:00:00.000Z',
    ]);
    const upload = { key, uploadId, bytes: body.length };
    await put(links[1]!.url, body.subarray(partBytes));
    await expect(uploads.complete(target, upload)).rejects.toMatchObject({
      status: 409,
      code: 'upload-incomplete',
    });
    await put(links[0]!.url, body.subarray(0, partBytes));
    const map = { columns: { Title: 'name' } };
    await uploads.complete(target, { ...upload, map });
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key: key }))).ContentLength).toBe(body.length);
    expect(JSON.parse((await textOf(`${key}.map.json`)) ?? '')).toEqual(map);
    await expect(uploads.complete(target, upload)).rejects.toMatchObject({
      status: 409,
      code: 'upload-gone',
    });
  });

  it('of another folder looks as if it did not exist, whatever its key', async () => {
    const { key, uploadId, links } = await begin(1);
    await put(links[0]!.url, 'a');
    const upload = { key, uploadId, bytes: 1 };
    for (const other of [
      { ...upload, key: key.replace('demo', 'other') },
      { ...upload, key: `other/../${key}` },
      { ...upload, key: 'demo/file.csv' },
      { ...upload, uploadId: 'none' },
    ]) {
      await expect(uploads.complete(target, other)).rejects.toMatchObject({
        status: 409,
        code: 'upload-gone',
      });
    }
    await expect(uploads.complete({ ...target, folder: 'other' }, upload)).rejects.toMatchObject({
      code: 'upload-gone',
    });
    await uploads.complete(target, upload);
    expect(await textOf(key)).toBe('a');
  });

  it('is not completed with a map that no import can use', async () => {
    const { key, uploadId, links } = await begin(1);
    await put(links[0]!.url, 'a');
    const upload = {
      key,
      uploadId,
      bytes: 1,
      map: { columns: { Title: 'nam' } },
    };
    await expect(uploads.complete(target, upload)).rejects.toMatchObject({
      status: 400,
      errors: [{ detail: expect.stringContaining('did you mean name?') }],
    });
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: key }))).rejects.toMatchObject({ name: 'NotFound' });
  });
});
