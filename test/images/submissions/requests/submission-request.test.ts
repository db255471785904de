import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddition, readSubmission } from '../../../../functions/images/submissions/requests/submission-request.ts';
import { IMAGE_BYTES_MAX } from '../../../../functions/images/validations/validation.ts';
import { Refusal } from '../../../../shared/errors.ts';
import { base64Image, imageBytes } from '../../../support/images/image-bytes.ts';

const IMAGE = { base64_data: base64Image('a'), mime_type: 'image/jpeg' };
const WHOLE = { validation_type: 'receipt', campaign_permalink: 'coffee', images: [IMAGE] };
const read = (input: unknown) => readSubmission(JSON.stringify({ image_validation: input }));
const readWith = (more: object) => read({ ...WHOLE, ...more });
const readImage = (image: unknown) => readWith({ images: [image] }).images[0];
const addition = (image: unknown) => readAddition(JSON.stringify({ image }));
const READ = {
  validationType: 'receipt',
  campaignPermalink: 'coffee',
  images: [{ bytes: imageBytes('a'), format: 'jpeg' }],
};

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code;
  }
}

describe('a submission', () => {
  it('states what to validate', () => {
    expect(read(WHOLE)).toEqual(READ);
    const more = { placement_id: 'p', external_id: 'e', image_count: 3, data: { a: [1, null] } };
    expect(readWith(more)).toEqual({
      ...READ,
      placementId: 'p',
      externalId: 'e',
      imageCount: 3,
      data: '{"a":[1,null]}',
    });
  });

  it('may contain unknown members at all levels, and nulls', () => {
    const image = { ...IMAGE, id: null, size: 'large', width: 7 };
    const body = {
      user: {},
      image_validation: { ...WHOLE, images: [image], campaign_id: 7, placement_id: null, data: null },
    };
    expect(readSubmission(JSON.stringify(body))).toEqual(READ);
    expect(readSubmission(`{"__proto__":{},"image_validation":${JSON.stringify(WHOLE)}}`)).toEqual(READ);
  });

  it.each(['validation_type', 'campaign_permalink', 'images'])('without %s lacks data', (name) => {
    const without = Object.fromEntries(Object.entries(WHOLE).filter(([key]) => key !== name));
    expect(codeOf(() => read(without))).toBe('missing_data');
    expect(codeOf(() => readWith({ [name]: null }))).toBe('missing_data');
    // Not what an object inherits.
    const inherited = `{"image_validation":{"__proto__":${JSON.stringify(WHOLE)},${JSON.stringify(without).slice(1)}}`;
    expect(codeOf(() => readSubmission(inherited))).toBe('missing_data');
  });

  it('without an image, or with one without data, lacks data', () => {
    expect(codeOf(() => readWith({ images: [] }))).toBe('missing_data');
    expect(codeOf(() => readWith({ images: [IMAGE, { id: 'b' }] }))).toBe('missing_data');
    expect(codeOf(() => readWith({ images: [{ base64_data: null }] }))).toBe('missing_data');
  });

  it.each([
    ['validation_type', ['video', 7, {}, ['receipt'], 'Receipt', 'toString']],
    ['campaign_permalink', [7, {}, ['coffee'], true, '\ud800']],
    ['placement_id', [{}, [], true, 1.5, 'x'.repeat(201), '\ud800']],
    ['external_id', [{}, [], false, 'x'.repeat(201)]],
    ['image_count', [0, -1, 1.5, '3', {}, [3], true, 2 ** 53]],
    ['images', [{}, 'a', 7, true]],
    ['data', ['text', 7, [], true]],
  ] as const)('with a %s of another type has a wrong argument', (name, values) => {
    for (const value of values)
      expect([value, codeOf(() => readWith({ [name]: value }))]).toEqual([value, 'argument_error']);
  });

  it('may name its placement by an integer of any length, and count in any notation', () => {
    const text = (member: string) => `{"image_validation":{${JSON.stringify(WHOLE).slice(1, -1)},${member}}}`;
    expect(readSubmission(text('"placement_id":12345678901234567890')).placementId).toBe('12345678901234567890');
    expect(readSubmission(text('"image_count":2.0')).imageCount).toBe(2);
    expect(readSubmission(text('"image_count":1e1')).imageCount).toBe(10);
    expect(codeOf(() => readSubmission(text('"placement_id":1e5')))).toBe('argument_error');
  });

  it('keeps its data digit by digit, up to 10 KB', () => {
    const data = '{"big":12345678901234567890,"exact":1.10,"wide":1e400,"__proto__":{"a":"\\ud800"}}';
    const text = `{"image_validation":{${JSON.stringify(WHOLE).slice(1, -1)},"data":${data}}}`;
    expect(readSubmission(text).data).toBe(data);
    const filled = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(readWith({ data: filled(10_240) }).data).toHaveLength(10_240);
    expect(codeOf(() => readWith({ data: filled(10_241) }))).toBe('validation');
    expect(codeOf(() => readWith({ data: { a: 'ä'.repeat(5_200) } }))).toBe('validation');
  });

  it('may nest its data 100 deep, in lists as in objects, and no deeper', () => {
    const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
      levels === 0 ? 1.5 : wrap(nested(levels - 1, wrap));
    for (const wrap of [(a: unknown) => ({ a }), (a: unknown) => [0, a]]) {
      expect(codeOf(() => readWith({ data: { a: nested(99, wrap) } }))).toBeUndefined();
      expect(codeOf(() => readWith({ data: { a: nested(100, wrap) } }))).toBe('validation');
    }
    const deep = `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    const body = `{"image_validation":{${JSON.stringify(WHOLE).slice(1, -1)},"data":${deep}}}`;
    expect(codeOf(() => readSubmission(body))).toBe('validation');
  });

  it('without image_validation, or without a body, lacks data', () => {
    for (const body of [undefined, '', ' \n', '{}', 'null', '[]', '7', '{"image_validation":null}']) {
      expect([body, codeOf(() => readSubmission(body))]).toEqual([body, 'missing_data']);
    }
  });

  it('that is no JSON, no object, or nested without end has a wrong argument', () => {
    const deep = 300_000;
    for (const body of [
      '{',
      'image_validation=1',
      '{"image_validation":[]}',
      '{"image_validation":"x"}',
      '{"image_validation":12345678901234567890}',
      `{"image_validation":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    ]) {
      expect([body.slice(0, 40), codeOf(() => readSubmission(body))]).toEqual([body.slice(0, 40), 'argument_error']);
    }
  });
});

describe('an image of a request', () => {
  it.each(['jpeg', 'png', 'gif', 'tiff', 'pdf'] as const)('is %s by its content, whatever is declared', (format) => {
    for (const mime_type of ['image/jpg', 'text/html', undefined]) {
      const image = readImage({ id: 'i', base64_data: base64Image('x', { format }), mime_type });
      expect(image).toEqual({ id: 'i', bytes: imageBytes('x', { format }), format });
    }
  });

  it.each([
    ['empty', ''],
    ['no base64', '!!!!'],
    ['no image', Buffer.from('<html>').toString('base64')],
    ['a zip', Buffer.from('PK\x03\x04').toString('base64')],
    ['one byte', '/w=='],
  ])('is refused if it is %s', (_what, base64_data) => {
    expect(codeOf(() => readImage({ base64_data }))).toBe('validation');
    expect(codeOf(() => addition({ base64_data }))).toBe('validation');
  });

  it('may have 10 MB and not a byte more, inline as in an upload', () => {
    const inline = (bytes: number) => ({ base64_data: base64Image('x', { bytes }) });
    const upload = (size: number) => ({ upload: true, size });
    for (const made of [inline, upload]) {
      expect(codeOf(() => addition(made(IMAGE_BYTES_MAX)))).toBeUndefined();
      expect(codeOf(() => addition(made(IMAGE_BYTES_MAX + 1)))).toBe('validation');
      expect(codeOf(() => readImage(made(IMAGE_BYTES_MAX + 1)))).toBe('validation');
    }
    expect(codeOf(() => addition(upload(0)))).toBe('validation');
  });

  it('is an upload if it says so', () => {
    expect(readImage({ id: 'u', upload: true })).toEqual({ id: 'u' });
    const image = { id: 'u', upload: true, mime_type: 'image/heic', size: 5, base64_data: null };
    expect(readImage(image)).toEqual({ id: 'u', mimeType: 'image/heic', size: 5 });
    expect(readImage({ ...image, base64_data: '' })).toEqual({ id: 'u', mimeType: 'image/heic', size: 5 });
    expect(readImage({ ...IMAGE, upload: false })).toEqual(READ.images[0]);
  });

  it.each([
    ['no object', 'x'],
    ['a list', []],
    ['both uploaded and inline', { ...IMAGE, upload: true }],
    ['an upload of maybe', { upload: 'yes' }],
    ['an id that is a number', { ...IMAGE, id: 7 }],
    ['an id that is too long', { ...IMAGE, id: 'x'.repeat(101) }],
    ['half a character as its id', { ...IMAGE, id: '\udc00' }],
    ['a type that is an object', { ...IMAGE, mime_type: {} }],
    ['a type that is too long', { ...IMAGE, mime_type: 'x'.repeat(101) }],
    ['data that are no text', { base64_data: 7 }],
    ['data as a list of bytes', { base64_data: [255, 216, 255] }],
    ['a size in words', { upload: true, size: 'large' }],
    ['half a byte', { upload: true, size: 1.5 }],
    ['a size below nothing', { upload: true, size: -1 }],
  ])('has a wrong argument if it is %s', (_what, image) => {
    expect(codeOf(() => readImage(image))).toBe('argument_error');
    expect(codeOf(() => addition(image))).toBe('argument_error');
  });
});

describe('an addition', () => {
  it('without any image data has no image', () => {
    for (const body of [undefined, '', ' ', '{}', '[]', '{"image":null}', '{"image":{}}', '{"image":{"id":"a"}}']) {
      expect([body, codeOf(() => readAddition(body))]).toEqual([body, 'image_not_found']);
    }
    expect(codeOf(() => readAddition('{"image":'))).toBe('argument_error');
  });
});

describe('any body', () => {
  it('is read, or refused with a code of the interface', () => {
    const codes = [undefined, 'missing_data', 'argument_error', 'validation', 'image_not_found'];
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.constant(null),
      fc.boolean(),
      fc.object(),
      fc.constant('receipt'),
    );
    const image = fc.record(
      { id: value, base64_data: fc.oneof(value, fc.base64String()), mime_type: value, upload: value, size: value },
      { requiredKeys: [] },
    );
    const members = fc.record(
      {
        validation_type: value,
        campaign_permalink: value,
        images: fc.oneof(value, fc.array(image)),
        image_count: value,
        data: value,
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      members.map((image_validation) => JSON.stringify({ image_validation })),
      image.map((one) => JSON.stringify({ image: one })),
    );
    fc.assert(
      fc.property(body, (text) => {
        expect(codes).toContain(codeOf(() => readSubmission(text)));
        expect(codes).toContain(codeOf(() => readAddition(text)));
      }),
      { numRuns: 500 },
    );
  });
});
