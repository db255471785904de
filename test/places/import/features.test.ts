import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Feature, featuresOf } from '../../../functions/places/import/features.ts';
import { MAX_LINE_BYTES } from '../../../shared/import/rows/lines.ts';

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const read = (file: string | Uint8Array, sizes: readonly number[] = [7]): Promise<Feature[]> =>
  Array.fromAsync(featuresOf(chunked(Buffer.from(file), sizes)));

/** The features before the file broke, and the message about it. */
async function broken(file: string | Uint8Array): Promise<{ features: Feature[]; message: string }> {
  const features: Feature[] = [];
  try {
    for await (const feature of featuresOf(chunked(Buffer.from(file), [5]))) features.push(feature);
  } catch (error) {
    return { features, message: error instanceof Error ? `${error.name}: ${error.message}` : '' };
  }
  return { features, message: 'not broken' };
}

const blank = fc.array(fc.constantFrom(' ', '\n', '\r\n', '\r', '\t'), { maxLength: 3 }).map((all) => all.join(''));

/** JSON with whitespace of any kind between any two of its tokens. */
const spaced = (value: unknown, spaces: readonly string[]): string => {
  let next = 0;
  const space = () => spaces[next++ % spaces.length] ?? '';
  const write = (one: unknown): string => {
    const members = (all: readonly string[]) => all.join(`${space()},${space()}`);
    if (Array.isArray(one)) return `[${space()}${members(one.map(write))}${space()}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const all = Object.entries(one).map(
      ([name, inner]) => `${JSON.stringify(name)}${space()}:${space()}${write(inner)}`,
    );
    return `{${space()}${members(all)}${space()}}`;
  };
  return `${space()}${write(value)}${space()}`;
};

const hostileText = fc
  .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'é', '😀', '\n', '\u0000', 'features'))
  .map((all) => all.join(''));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    hostileText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(hostileText, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const otherMembers = fc.dictionary(
  fc
    .oneof(hostileText, fc.constantFrom('type', 'crs', 'bbox', 'name', 'Features'))
    .filter((name) => name !== 'features'),
  json,
  { maxKeys: 3, noNullPrototype: true },
);
/** What stands in `features` may be anything: what is no feature is refused later, each by itself. */
const collection = fc.record({
  before: otherMembers,
  features: fc.array(json, { maxLength: 5 }),
  after: otherMembers.map((all) => Object.fromEntries(Object.entries(all).map(([name, value]) => [`_${name}`, value]))),
});

describe('the features of a file', () => {
  it('are found in any surrounding text and any chunking of the bytes, and reading can resume after each', async () => {
    await fc.assert(
      fc.asyncProperty(
        collection,
        fc.array(blank, { minLength: 1, maxLength: 7 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async ({ before, features, after }, spaces, sizes) => {
          const bytes = Buffer.from(spaced({ ...before, features, ...after }, spaces));
          const result = await read(bytes, sizes);
          expect(result.map(({ text }) => JSON.parse(text) as unknown)).toEqual(JSON.parse(JSON.stringify(features)));
          expect(result.map(({ number }) => number)).toEqual(features.map((_, i) => i + 1));
          for (const [i, { end, line, text }] of result.entries()) {
            const start = end.byte - Buffer.byteLength(text);
            expect(bytes.subarray(start, end.byte).toString()).toBe(text);
            expect(line).toBe(
              bytes
                .subarray(0, start)
                .toString()
                .split(/\r\n|\n|\r/).length,
            );
            expect(await Array.fromAsync(featuresOf(chunked(bytes.subarray(end.byte), sizes), end))).toEqual(
              result.slice(i + 1),
            );
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are found when their name is written in escapes, and after a byte order mark', async () => {
    const name = Buffer.from('features').toString('hex').replaceAll(/../g, '\\u00$&');
    expect(await read(`\uFEFF{"${name}":[{"a":1}]}`)).toMatchObject([{ number: 1, text: '{"a":1}' }]);
  });

  it('are only those at the top', async () => {
    const file = '{"a":{"features":[1]},"b":"features","c":[{"features":[2]}],"features":[3]}';
    expect((await read(file)).map(({ text }) => text)).toEqual(['3']);
  });

  it('that are too long or not UTF-8 lose their text alone', async () => {
    const long = `{"a":"${'x'.repeat(MAX_LINE_BYTES)}"}`;
    const longest = `"${'x'.repeat(MAX_LINE_BYTES - 2)}"`;
    const file = Buffer.concat([
      Buffer.from(`{"features":[1,${long},${longest},"`),
      Buffer.from([0xff]),
      Buffer.from('",{"a":2}]}'),
    ]);
    const result = await read(file, [65_536]);
    expect(result.map(({ text, fault }) => fault ?? text.length)).toEqual([
      1,
      'it is longer than 4 MiB',
      MAX_LINE_BYTES,
      'it is not UTF-8 text',
      7,
    ]);
  });

  it('may be nested a million levels deep', async () => {
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    const file = `{"x":${deep},"features":[${deep},{"a":1}]}`;
    expect((await read(file, [65_536])).map(({ text }) => text.length)).toEqual([2_000_000, 7]);
  });

  it.each([
    ['', 'The file ends early, after 0 features.'],
    ['{', 'The file ends early, after 0 features.'],
    ['{"features":[1,{"a":2}', 'The file ends early, after 2 features.'],
    ['{"features":[1,{"a":2},', 'The file ends early, after 2 features.'],
    ['{"features":[1,{"a":"2}', 'The file ends early, after 1 feature.'],
    ['{"features":[1]', 'The file ends early, after 1 feature.'],
    ['{}', 'no list "features"'],
    ['{"type":"Feature","geometry":null}', 'no list "features"'],
    ['[]', 'line 1, after 0 features: a { is missing'],
    ['\n\nid,name\n', 'line 3, after 0 features: a { is missing'],
    ['{"features":{}}', '"features" is not a list'],
    ['{"features":[1],"features":[2]}', 'after 1 feature: the member "features" appears twice'],
    ['{"features":[1 2]}', 'after 1 feature: a comma or ] is missing'],
    ['{"features":[1,]}', 'after 1 feature: a feature is missing'],
    ['{"features":[,1]}', 'after 0 features: a feature or ] is missing'],
    ['{"features":[1}', 'after 1 feature: a comma or ] is missing'],
    ['{"features":[1]]', 'after 1 feature: a comma or } is missing'],
    ['{"features":[1,\n\n{"a":[1}]}]}', 'line 3, after 1 feature: brackets do not match'],
    ['{"features":[1]} {}', 'after 1 feature: there is text after the end'],
    ['{features:[1]}', 'the name of a member is missing'],
    ['{"features":[1],}', 'the name of a member is missing'],
    ['{"features" [1]}', 'a colon is missing'],
    ['{"features":}', '"features" is not a list'],
    ['{"crs":,"features":[]}', 'a value is missing'],
  ])('are those before the file breaks: %j', async (file, message) => {
    const result = await broken(file);
    expect(result.message).toMatch(/^UnreadableFile: /);
    expect(result.message).toContain(message);
    expect(result.features).toHaveLength(Number(/after (\d+) feature/.exec(result.message)?.[1] ?? 0));
  });

  it('are complete in a file that is cut anywhere but in whitespace at its end, or the cut is told', async () => {
    const bytes = Buffer.from('{"name":"é\\"]","features":[ {"a":[1,{}]}, {"b":"}"}\n],"bbox":[1,2]}\n');
    const whole = await read(bytes);
    for (let cut = 0; cut < bytes.length - 1; cut += 1) {
      const { features, message } = await broken(bytes.subarray(0, cut));
      expect(features).toEqual(whole.filter(({ end }) => end.byte <= cut));
      expect(message).toBe(
        `UnreadableFile: The file ends early, after ${features.length} feature${features.length === 1 ? '' : 's'}.`,
      );
    }
  });

  it('or a clear refusal come of any bytes', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '"features"',
      '{"features":[',
      '1',
      ' ',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const { message } = await broken(pieces.join(''));
        expect(message).toMatch(/^(not broken|UnreadableFile: .*\.)$/);
      }),
      { numRuns: 1_000 },
    );
  });
});
