import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageDataIn } from '../../../../functions/images/submissions/requests/image-data.ts';

const bytesIn = (text: string) => {
  const data = imageDataIn(text);
  return data && Buffer.from(data.decode());
};
const some = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes));

/** Every way to write the same bytes that is understood. */
const spellings: Readonly<Record<string, (bytes: Buffer) => string>> = {
  standard: (bytes) => bytes.toString('base64'),
  'without padding': (bytes) => bytes.toString('base64').replaceAll('=', ''),
  'of URLs': (bytes) => bytes.toString('base64url'),
  'of URLs, with padding': (bytes) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  'in lines': (bytes) => bytes.toString('base64').replaceAll(/(.{76})/g, '$1\r\n'),
  'in short lines': (bytes) => `\n${bytes.toString('base64').replaceAll(/(.)/g, '$1\n')}`,
  'a data URL': (bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`,
  'a data URL with parameters': (bytes) => `DATA:image/png;name=a.png;BASE64,${bytes.toString('base64url')}`,
};

describe('base64 of an image', () => {
  it.each(Object.entries(spellings))('%s is read, and its size is known in advance', (_name, written) => {
    fc.assert(
      fc.property(some, (bytes) => {
        const text = written(bytes);
        expect(bytesIn(text)).toEqual(bytes);
        expect(imageDataIn(text)?.byteLength).toBe(bytes.length);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['line breaks', '\r\n\r\n'],
    ['padding alone', '=='],
    ['a data URL of nothing', 'data:image/jpeg;base64,'],
    ['a data URL without base64', 'data:image/jpeg,abcd'],
    ['an address', 'https://example.com/a.jpg'],
    ['both alphabets', 'ab+-'],
    ['a last group of one', 'abcde'],
    ['padding too short', 'abcdab='],
    ['padding too long', 'abc=='],
    ['padding of a whole group', 'abcd='],
    ['three pads', 'a==='],
    ['padding in the middle', 'ab==abcd'],
    ['blanks', 'ab cd'],
    ['tabs', 'ab\tcd'],
    ['other letters', 'äbcd'],
    ['a zero byte', 'abc\0'],
    ['a prefix that is too long', `data:${'x'.repeat(201)};base64,abcd`],
  ])('is not %s', (_what, text) => {
    expect(imageDataIn(text)).toBeUndefined();
  });

  it('is refused or has the predicted size, whatever the text is', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aZ9+/-_=\n\r ,;:ä'.split('')) });
    fc.assert(
      fc.property(fc.oneof(fc.string(), letters), (text) => {
        const data = imageDataIn(text);
        if (data) expect(data.decode().byteLength).toBe(data.byteLength);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the predicted size at 10 MB and more, and is refused for one wrong character at the end', () => {
    const text = Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64');
    expect(imageDataIn(text)?.byteLength).toBe(10 * 1024 * 1024 + 1);
    expect(imageDataIn(`${text.slice(0, -4)}AAA!`)).toBeUndefined();
  });
});
