import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../functions/conversions/serving/problem.ts';
import { readJson } from '../../../functions/conversions/serving/read-json.ts';

/** The problem that a body is refused with. */
function refused(text: string) {
  try {
    readJson(text);
  } catch (error) {
    if (error instanceof Problem)
      return { status: error.status, code: error.code, ...error.members, detail: error.detail };
    throw error;
  }
  throw new Error(`It was read: ${text.slice(0, 100)}`);
}
const place = (text: string) => {
  const { status, code, errors } = refused(text) as ReturnType<typeof refused> & { errors?: { pointer: string }[] };
  return [status, code, errors?.[0]?.pointer];
};

const nested = (levels: number): string => (levels === 1 ? '{"a":1}' : `{"a":${nested(levels - 1)}}`);
const listed = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a body', () => {
  it.each([
    '',
    '  \n',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":-Infinity}',
    '{"a":01}',
    '\u{feff}{}',
    'undefined',
    '{"a":1}{',
    '{"a":"\n"}',
  ])('that is not JSON is refused as such: %j', (text) => {
    expect(place(text)).toEqual([400, 'malformed-json', undefined]);
  });

  it('that is empty is distinguished from an invalid one', () => {
    expect(refused('').detail).toContain('empty');
    expect(refused('{').detail).not.toContain('empty');
  });

  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(readJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it.each(['9007199254740993', '1.10', '1e400', '-0', `0.${'1'.repeat(400)}`, '7'.repeat(400)])(
    'keeps the digits of %s',
    (digits) => {
      expect(JSON.stringify(readJson(`{"value":${digits}}`))).toBe(`{"value":${digits}}`);
    },
  );

  it('keeps members named __proto__ as members', () => {
    const body = readJson('{"__proto__":{"polluted":true},"record":{"__proto__":1}}') as object;
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(JSON.stringify(body)).toBe('{"__proto__":{"polluted":true},"record":{"__proto__":1}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('the depth of a body', () => {
  it.each([
    ['alone', (record: string) => `{"record":${record}}`, '/record'],
    ['in a list', (record: string) => `{"items":[{"record":${record}}]}`, '/items/0/record'],
  ])('is at most 8 levels for a record %s', (_what, body, pointer) => {
    expect(readJson(body(nested(8)))).toBeDefined();
    expect(readJson(body(listed(8)))).toBeDefined();
    expect(place(body(nested(9)))).toEqual([400, 'invalid-request', `${pointer}${'/a'.repeat(8)}`]);
    expect(place(body(listed(9)))).toEqual([400, 'invalid-request', `${pointer}${'/0'.repeat(8)}`]);
  });

  it('counts from the outermost record', () => {
    const inner = (levels: number) => `{"record":{"record":${nested(levels)}}}`;
    expect(readJson(inner(7))).toBeDefined();
    expect(place(inner(8))[1]).toBe('invalid-request');
  });

  it('lets a schema be as deep as schemas may be', () => {
    expect(readJson(`{"items":[{"schema":${nested(33)},"record":{}}]}`)).toBeDefined();
  });

  it.each([41, 1_000, 8_000, 120_000])('of %i levels is refused as too deep', (levels) => {
    expect(refused(listed(levels))).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(refused(listed(levels)).detail).toContain('too deep');
  });

  it('of 40 levels is read', () => {
    expect(readJson(listed(40))).toBeDefined();
  });
});

describe('a text within a body', () => {
  it('has at most 8 KB, in bytes', () => {
    expect(readJson(JSON.stringify({ a: 'x'.repeat(8_192) }))).toBeDefined();
    expect(place(JSON.stringify({ a: 'x'.repeat(8_193) }))).toEqual([400, 'invalid-request', '/a']);
    expect(readJson(JSON.stringify({ a: 'é'.repeat(4_096) }))).toBeDefined();
    expect(place(JSON.stringify({ a: 'é'.repeat(4_097) }))).toEqual([400, 'invalid-request', '/a']);
    expect(place(JSON.stringify(['ok', '€'.repeat(2_731)]))).toEqual([400, 'invalid-request', '/1']);
  });

  it('may be as long as the body where it is a table, and nowhere else', () => {
    const long = 'x'.repeat(100_000);
    expect(readJson(JSON.stringify({ kind: 'table', value: long }))).toBeDefined();
    expect(readJson(JSON.stringify({ items: [{ kind: 'table', value: long }] }))).toBeDefined();
    expect(place(JSON.stringify({ kind: 'table', from: long }))).toEqual([400, 'invalid-request', '/from']);
    expect(place(JSON.stringify({ kind: 'money', value: long }))).toEqual([400, 'invalid-request', '/value']);
    expect(place(JSON.stringify({ kind: 'table', value: [{ a: long }] }))).toEqual([
      400,
      'invalid-request',
      '/value/0/a',
    ]);
  });

  it.each([
    ['a value', String.raw`{"a":["\ud800"]}`, '/a/0'],
    ['a value that a table has', String.raw`{"kind":"table","value":"\udc00"}`, '/value'],
    ['the whole body', String.raw`"\udfff"`, ''],
  ])('that has half of a surrogate pair is refused: %s', (_what, text, pointer) => {
    expect(place(text)).toEqual([400, 'invalid-request', pointer]);
  });

  it('may be a name: it is refused with its beginning, as a pointer that is text', () => {
    const [, , pointer] = place(String.raw`{"a/b~c":{"\ud800":1}}`);
    expect(pointer).toBe('/a~1b~0c/\u{fffd}');
    expect(place(JSON.stringify({ ['n'.repeat(9_000)]: 1 }))).toEqual([400, 'invalid-request', `/${'n'.repeat(100)}`]);
  });
});

it('every text is read or refused with a problem, whatever it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        readJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        expect((error as Problem).status).toBe(400);
      }
    }),
    { numRuns: 50 },
  );
});
