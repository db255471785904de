import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBinaryImage } from '../../../../functions/images/submissions/requests/binary-image.ts';
import { imageBytes } from '../../../support/images/image-bytes.ts';
import { codeOf } from '../../../support/images/images-desk.ts';

const JPEG = imageBytes('a');

/** As the gateway hands a binary body to the function. */
const call = (type: string | undefined, bytes: Uint8Array, rawQueryString = '') => ({
  headers: type === undefined ? {} : { 'content-type': type },
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
  rawQueryString,
});

/** A form as clients of the platform write it. */
async function formCall(...fields: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[]) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, typeof value === 'string' ? value : new Blob([value]));
  const answer = new Response(form);
  return call(answer.headers.get('content-type') ?? '', new Uint8Array(await answer.arrayBuffer()));
}
const bytes = (buffer: Buffer) => new Uint8Array(buffer);

describe('an image sent as bytes', () => {
  it.each(['image/jpeg', 'IMAGE/*', 'image/jpg; q=1', 'application/pdf'])('is the body of type %s', async (type) => {
    const image = await readBinaryImage(call(type, JPEG));
    expect(image).toEqual({ format: 'jpeg', bytes: JPEG });
    expect(await readBinaryImage(call(type, JPEG, 'auth_token=t&id=my%20photo'))).toMatchObject({ id: 'my photo' });
  });

  it('is the only file of a form, whatever its name, with the field id', async () => {
    const form = await formCall(['id', 'mine'], ['note', 'x'], ['picture', bytes(JPEG)]);
    const image = await readBinaryImage(form);
    expect(image).toMatchObject({ id: 'mine', format: 'jpeg' });
    expect(Buffer.from(image?.bytes ?? [])).toEqual(JPEG);
    const other = await formCall(['image', bytes(imageBytes('b', { format: 'png' }))]);
    expect(await readBinaryImage(other)).not.toHaveProperty('id');
  });

  it('of any content is read from a form byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.string({ minLength: 1, maxLength: 50 }),
        async (rest, id) => {
          const file = Buffer.concat([JPEG, rest]);
          const image = await readBinaryImage(await formCall(['image', bytes(file)], ['id', id]));
          expect(Buffer.from(image?.bytes ?? [])).toEqual(file);
          // Forms have one kind of line break.
          expect(image?.id).toBe(id.replaceAll(/\r\n|\r|\n/g, '\r\n'));
        },
      ),
    );
  });

  it.each([undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'is not in a body of type %s',
    async (type) => {
      expect(await readBinaryImage(call(type, JPEG))).toBeUndefined();
    },
  );
});

describe('data that is no image', () => {
  const form = 'multipart/form-data; boundary=x';
  it.each([
    ['an empty body', async () => call('image/png', Buffer.alloc(0)), 'image_not_found'],
    ['a form without a file', () => formCall(['id', 'mine']), 'image_not_found'],
    ['a form with two files', () => formCall(['a', bytes(JPEG)], ['b', bytes(JPEG)]), 'validation'],
    ['bytes of no format', async () => call('image/png', Buffer.from('<svg/>')), 'validation'],
    ['a file of no format', () => formCall(['image', bytes(Buffer.from('hello'))]), 'validation'],
    ['an id that is too long', async () => call('image/png', JPEG, `id=${'x'.repeat(101)}`), 'argument_error'],
    ['an id that is a file', () => formCall(['id', bytes(JPEG)]), 'argument_error'],
    ['a form without a boundary', async () => call('multipart/form-data', JPEG), 'argument_error'],
    [
      'a form that breaks off',
      async () => call(form, Buffer.from('--x\r\nContent-Disposition: form')),
      'argument_error',
    ],
    ['no form at all', async () => call(form, JPEG), 'argument_error'],
  ])('is refused: %s', async (_what, made, code) => {
    expect(await codeOf(readBinaryImage(await made()))).toBe(code);
  });

  it('is refused with its own code, whatever the bytes of a form are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (noise, isFramed) => {
        const body = isFramed ? Buffer.concat([Buffer.from('--x\r\n'), noise, Buffer.from('\r\n--x--\r\n')]) : noise;
        expect(['argument_error', 'image_not_found', 'validation', undefined]).toContain(
          await codeOf(readBinaryImage(call(form, body))),
        );
      }),
    );
  });
});
