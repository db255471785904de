import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PictureLinks } from '../../../functions/images/validations/loyalty-view.ts';
import { pictureLinks } from '../../../functions/images/validations/picture-links.s3.ts';
import { imageBytes } from '../../support/images/image-bytes.ts';
import { type ImagesDesk, openImagesDesk } from '../../support/images/images-desk.ts';

let desk: ImagesDesk;
let links: PictureLinks;
beforeAll(async () => {
  desk = await openImagesDesk();
  const client = new S3Client({
    ...desk.endpoint.clientOptions(),
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  links = pictureLinks(desk.bucket, { client });
});
afterAll(() => desk.close());

const put = async (url: string, bytes: Buffer, headers: Record<string, string> = {}) =>
  (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers })).status;

describe('a link for an upload', () => {
  it('accepts a PUT of any size and type if no size was declared', async () => {
    const url = await links.upload('uploads/t/1/any', undefined);
    expect(await put(url, imageBytes('a'))).toBe(200);
    expect(await put(url, imageBytes('b', { bytes: 5_000 }), { 'content-type': 'image/heic' })).toBe(200);
    expect(await desk.bytesAt('uploads/t/1/any')).toEqual(imageBytes('b', { bytes: 5_000 }));
  });

  it('accepts exactly the declared size', async () => {
    const url = await links.upload('uploads/t/1/sized', 5_000);
    for (const bytes of [4_999, 5_001]) expect(await put(url, imageBytes('a', { bytes }))).toBe(403);
    expect(await desk.bytesAt('uploads/t/1/sized')).toBeUndefined();
    expect(await put(url, imageBytes('a', { bytes: 5_000 }))).toBe(200);
    expect(await desk.bytesAt('uploads/t/1/sized')).toHaveLength(5_000);
  });

  it('writes to no other key, reads nothing, and ends after an hour', async () => {
    const url = await links.upload('uploads/t/1/own', undefined);
    expect(await put(url.replace('/own?', '/other?'), imageBytes('a'))).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600');
    expect(await put(url, imageBytes('a'))).toBe(200);
  });
});

describe('a link to an image', () => {
  it('shows it without a credential, and changes nothing', async () => {
    await desk.upload('validations/t/1/images/a', imageBytes('a'));
    const url = await links.view('validations/t/1/images/a');
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(imageBytes('a'));
    expect(await put(url, imageBytes('b'))).toBe(403);
    const { Body: body } = await desk.s3.send(
      new GetObjectCommand({ Bucket: desk.bucket, Key: 'validations/t/1/images/a' }),
    );
    expect(Buffer.from((await body?.transformToByteArray()) ?? [])).toEqual(imageBytes('a'));
  });
});

it('links end after an hour', async () => {
  await desk.upload('validations/t/1/images/late', imageBytes('a'));
  const [view, upload] = [await links.view('validations/t/1/images/late'), await links.upload('uploads/t/1/l', 3)];
  desk.endpoint.advance(3_601_000);
  expect([(await fetch(view)).status, await put(upload, Buffer.from('abc'))]).toEqual([403, 403]);
  // Other tests sign links by the clock of the machine.
  desk.endpoint.advance(-3_601_000);
});
