import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiveUpload, type UploadedObject } from '../../../functions/images/submissions/receive-upload.ts';
import { uploadKey } from '../../../functions/images/validations/picture-keys.ts';
import { IMAGE_BYTES_MAX, isStored, type Validation } from '../../../functions/images/validations/validation.ts';
import { Killed, Mortality } from '../../support/faults/mortal-clients.ts';
import { base64Image, type ImageFormat, imageBytes } from '../../support/images/image-bytes.ts';
import {
  codeOf,
  type ImagesDesk,
  openImagesDesk,
  type SubmissionParts,
  submission,
} from '../../support/images/images-desk.ts';
import { newApp, newCaller } from '../../support/places/places-desk.ts';
import { MOMENTS } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T11:00:00.000Z');

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

/** A validation that expects uploads, with the keys of their links. */
async function expecting(...ids: string[]) {
  const caller = newCaller(newApp());
  await desk.campaign({ tenant: caller.app.tenant });
  const images = ids.map((id) => ({ id, upload: true, mime_type: 'image/heic' }));
  const made = await desk.submit(caller, submission(images));
  return { caller, made, keys: keysOf(made) };
}
const keysOf = ({ images }: Validation) => images.map((image) => (isStored(image) ? '' : image.uploadKey));
const receive = (key: string, by?: SubmissionParts) => desk.receive(key, { now: NOW, ...(by && { by }) });

/** The validation has this image, and its bytes as they were sent. */
async function hasImage(made: Validation, id: string, bytes: Buffer) {
  const image = (await desk.validation(made))?.images.find((one) => one.id === id);
  if (!image || !isStored(image)) throw new Error(`There is no image ${id}.`);
  expect(image.bytes).toBe(bytes.length);
  expect((await desk.bytesAt(image.key))?.equals(bytes)).toBe(true);
}

describe('an upload', () => {
  it.each([
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['gif', 'image/gif'],
    ['tiff', 'image/tiff'],
    ['pdf', 'application/pdf'],
  ] as const)(
    'of a %s becomes the image of its validation, which is then pending',
    async (format: ImageFormat, type) => {
      const { made, keys } = await expecting('a');
      const [key = ''] = keys;
      const bytes = imageBytes('a', { format, bytes: 70_000 });
      await desk.upload(key, bytes);
      expect(await receive(key)).toBe('stored');
      const after = await desk.validation(made);
      expect(after).toMatchObject({ status: 'pending', revision: 2, updatedAt: '2026-11-22T11:00:00.000Z' });
      expect(after?.images[0]).toMatchObject({ id: 'a', format, mimeType: type });
      await hasImage(made, 'a', bytes);
      expect(await desk.bytesAt(key)).toBeUndefined();
    },
  );

  it('is stored without metadata about person and place, like an inline picture', async () => {
    const gps = { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' };
    const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#456' } })
      .withExif({ IFD0: { Artist: 'Kim Doe', Model: 'Phone of Kim' }, IFD3: gps })
      .jpeg()
      .toBuffer();
    const { caller, made, keys } = await expecting('a');
    const [key = ''] = keys;
    await desk.upload(key, photo);
    expect(await receive(key)).toBe('stored');
    const inline = { id: 'b', base64_data: photo.toString('base64') };
    const other = await desk.submit(caller, submission([inline]));
    for (const validation of [await desk.validation(made), other]) {
      const image = validation?.images[0];
      if (!image || !isStored(image)) throw new Error('The picture is not stored.');
      const remaining = await desk.bytesAt(image.key);
      expect(remaining?.toString('latin1')).not.toMatch(/Kim|Exif/);
      expect(image).toMatchObject({
        bytes: remaining?.length,
        sha256: createHash('sha256').update(remaining!).digest('hex'),
      });
      expect(await sharp(remaining).raw().toBuffer()).toEqual(await sharp(photo).raw().toBuffer());
    }
  });

  it('may have 10 MB and not a byte more', async () => {
    const { made, keys } = await expecting('a');
    const [key = ''] = keys;
    await desk.upload(key, imageBytes('a', { bytes: IMAGE_BYTES_MAX + 1 }));
    expect(await receive(key)).toBe('too-large');
    expect(await desk.bytesAt(key)).toBeUndefined();
    expect(await desk.validation(made)).toMatchObject({
      status: 'incomplete',
      images: [{ id: 'a', refused: 'too-large' }],
    });
    const largest = imageBytes('a', { bytes: IMAGE_BYTES_MAX });
    await desk.upload(key, largest);
    expect(await receive(key)).toBe('stored');
    await hasImage(made, 'a', largest);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['an archive', Buffer.from('PK\x03\x04%')],
  ])('of %s is deleted, the validation says so, and the next one is accepted', async (_what, bytes) => {
    const { made, keys } = await expecting('a');
    const [key = ''] = keys;
    await desk.upload(key, bytes);
    expect(await receive(key)).toBe('no-image');
    expect(await desk.bytesAt(key)).toBeUndefined();
    const refused = await desk.validation(made);
    expect(refused).toMatchObject({ status: 'incomplete', images: [{ id: 'a', refused: 'no-image' }] });
    expect(await receive(key)).toBe('gone');
    await desk.upload(key, bytes);
    expect(await receive(key)).toBe('no-image');
    // The same refusal again changes nothing.
    expect(await desk.validation(made)).toEqual(refused);
    await desk.upload(key, imageBytes('a'));
    expect(await receive(key)).toBe('stored');
    await hasImage(made, 'a', imageBytes('a'));
  });

  it('counts once if its notifications are repeated, late, or out of order', async () => {
    const { made, keys } = await expecting('a', 'b');
    const [a = '', b = ''] = keys;
    await desk.upload(b, imageBytes('b'));
    await desk.upload(a, imageBytes('a'));
    expect(await Promise.all([receive(b), receive(b)])).toContain('stored');
    expect(await receive(b)).toBe('gone');
    expect((await desk.validation(made))?.status).toBe('incomplete');
    expect(await Promise.all([receive(a), receive(a), receive(b)])).toContain('stored');
    const after = await desk.validation(made);
    expect([after?.status, after?.revision, after?.images.map(({ id }) => id)]).toEqual(['pending', 3, ['a', 'b']]);
    await hasImage(made, 'a', imageBytes('a'));
    await hasImage(made, 'b', imageBytes('b'));
    expect(await desk.keysUnder(`uploads/${made.tenant}/`)).toEqual([]);
  });

  it('by a link that is reused replaces nothing', async () => {
    const { made, keys } = await expecting('a');
    const [key = ''] = keys;
    await desk.upload(key, imageBytes('a'));
    await receive(key);
    const before = await desk.validation(made);
    await desk.upload(key, imageBytes('z'));
    expect(await receive(key)).toBe('unexpected');
    expect([await desk.bytesAt(key), await desk.validation(made)]).toEqual([undefined, before]);
    await hasImage(made, 'a', imageBytes('a'));
  });

  it.each(['find', 'read'] as const)('is not lost if it is replaced right after it was %s', async (step) => {
    const { made, keys } = await expecting('a');
    const [key = ''] = keys;
    await desk.upload(key, Buffer.from('no image'));
    const { receive: own } = desk.parts();
    let isReplaced = false;
    const replacing = async <T>(result: T): Promise<T> => {
      if (!isReplaced) await desk.upload(key, imageBytes('a'));
      isReplaced = true;
      return result;
    };
    const uploads = {
      ...own.uploads,
      ...(step === 'find' && { find: async (one: string) => replacing(await own.uploads.find(one)) }),
      ...(step === 'read' && { read: async (one: UploadedObject) => replacing(await own.uploads.read(one)) }),
    };
    expect(await receiveUpload({ ...own, uploads }, key, NOW)).toBe(step === 'find' ? 'replaced' : 'no-image');
    expect(await desk.bytesAt(key)).toEqual(imageBytes('a'));
    expect(await receive(key)).toBe('stored');
    await hasImage(made, 'a', imageBytes('a'));
  });

  it('that two workers read with different bytes leaves a validation whose hash matches its bytes', async () => {
    const { made, keys } = await expecting('a');
    const [key = ''] = keys;
    await desk.upload(key, imageBytes('one'));
    const { receive: own } = desk.parts();
    const uploads = {
      ...own.uploads,
      read: async (one: UploadedObject) => {
        const bytes = await own.uploads.read(one);
        await desk.upload(key, imageBytes('two'));
        await receive(key);
        return bytes;
      },
    };
    expect(await receiveUpload({ ...own, uploads }, key, NOW)).toBe('unexpected');
    await hasImage(made, 'a', imageBytes('two'));
  });

  it('is not stored if its image arrived inline in the meantime', async () => {
    const { caller, made, keys } = await expecting('a');
    const [key = ''] = keys;
    await desk.add(caller, made.id, { id: 'a', base64_data: base64Image('inline') });
    await desk.upload(key, imageBytes('late'));
    expect(await receive(key)).toBe('unexpected');
    expect(await desk.bytesAt(key)).toBeUndefined();
    await hasImage(made, 'a', imageBytes('inline'));
  });

  it('of no validation, or under an unknown key, changes nothing', async () => {
    const gone = uploadKey({ tenant: 'nobody', id: '1' }, 'img_1');
    await desk.upload(gone, imageBytes('a'));
    expect(await receive(gone)).toBe('unexpected');
    expect(await desk.bytesAt(gone)).toBeUndefined();
    for (const key of ['uploads/', 'uploads/a/b', 'uploads/a/b/c/d', 'validations/a/1/images/b']) {
      await desk.upload(key, imageBytes('a'));
      expect([key, await receive(key)]).toEqual([key, 'no-upload']);
      expect(await desk.bytesAt(key)).toBeDefined();
    }
  });

  it('is offered once per id, and again until it has arrived', async () => {
    const { caller, made, keys } = await expecting('a');
    const again = await desk.add(caller, made.id, { id: 'a', upload: true });
    expect([keysOf(again), again.revision]).toEqual([keys, 1]);
    expect(await codeOf(desk.add(caller, made.id, { id: 'b', upload: true }))).toBe('validation');
  });
});

describe('a worker that crashes at any of its calls', () => {
  it('reports why an upload is refused, and stores nothing of it, when its message is delivered again', async () => {
    const dyingAt = async (mortality: Mortality) => {
      const { made, keys } = await expecting('a');
      const [key = ''] = keys;
      await desk.upload(key, Buffer.from('no image'));
      const outcome = await receive(key, desk.parts(mortality)).catch((error: unknown) => error);
      if (!(outcome instanceof Killed)) expect(outcome).toBe('no-image');
      await receive(key);
      expect(await desk.bytesAt(key)).toBeUndefined();
      expect(await desk.validation(made)).toMatchObject({ revision: 2, images: [{ id: 'a', refused: 'no-image' }] });
    };
    const calm = new Mortality();
    await dyingAt(calm);
    for (let call = 1; call <= calm.calls; call += 1) {
      for (const when of MOMENTS) await dyingAt(new Mortality(call, when));
    }
  });

  it('leaves an upload that the next delivery completes', async () => {
    const calm = new Mortality();
    const first = await expecting('a');
    await desk.upload(first.keys[0] ?? '', imageBytes('a'));
    expect(await receive(first.keys[0] ?? '', desk.parts(calm))).toBe('stored');
    expect(calm.calls).toBe(7);
    for (let call = 1; call <= calm.calls; call += 1) {
      for (const when of MOMENTS) {
        const { made, keys } = await expecting('a');
        const [key = ''] = keys;
        await desk.upload(key, imageBytes('a'));
        await expect(receive(key, desk.parts(new Mortality(call, when)))).rejects.toThrow(Killed);
        await receive(key);
        await hasImage(made, 'a', imageBytes('a'));
        expect(await desk.validation(made)).toMatchObject({ status: 'pending', revision: 2 });
        expect(await desk.bytesAt(key)).toBeUndefined();
      }
    }
  });
});
