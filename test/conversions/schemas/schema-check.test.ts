import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ajv2020 from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '#shared/formats/exact-json';
import { bundle } from '../../../cdk/constructs/bundling/bundle.ts';
import { ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { checkSchema } from '../../../functions/conversions/schemas/schema-check.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const codesOf = (record: unknown, schema: unknown) =>
  checkSchema(record, schema).map(({ path, code }) => `${path} ${code}`);

function outcomeOf(record: unknown, schema: unknown): unknown {
  try {
    return checkSchema(record, schema);
  } catch (error) {
    return error;
  }
}

function refusalOf(record: unknown, schema: unknown): ItemRefusal {
  const outcome = outcomeOf(record, schema);
  expect(outcome).toBeInstanceOf(ItemRefusal);
  expect((outcome as ItemRefusal).code).toBe('schema-invalid');
  return outcome as ItemRefusal;
}

const pointerOf = (schema: unknown, record: unknown = {}) => refusalOf(record, schema).facts.pointer;

describe("a caller's schema", () => {
  it.each<[string, object, unknown, string[]]>([
    ['types', { a: 'x' }, { properties: { a: { type: ['number', 'null'] } } }, ['/a schema.type']],
    ['whole numbers', { a: 1.5 }, { properties: { a: { type: 'integer' } } }, ['/a schema.type']],
    ['required members', {}, { required: ['a', 'toString'] }, ['/a schema.required', '/toString schema.required']],
    ['patterns', { a: 'x' }, { properties: { a: { pattern: '^\\d+$' } } }, ['/a schema.pattern']],
    ['names by pattern', { x1: 'x' }, { patternProperties: { '^x': { type: 'number' } } }, ['/x1 schema.type']],
    ['formats', { a: 'x' }, { properties: { a: { format: 'email' } } }, ['/a schema.format']],
    ['formats that nobody knows not', { a: 'x' }, { properties: { a: { format: 'of-my-own' } } }, []],
    ['fixed values', { a: 1 }, { properties: { a: { const: 2 } } }, ['/a schema.const']],
    ['lists of values', { a: 'c' }, { properties: { a: { enum: ['a', 'b'] } } }, ['/a schema.enum']],
    ['multiples', { a: 19.99 }, { properties: { a: { multipleOf: 0.01 } } }, []],
    [
      'lists',
      { a: [1, 'x', 'y'] },
      { properties: { a: { prefixItems: [{}], items: { type: 'number' } } } },
      ['/a/1 schema.type', '/a/2 schema.type'],
    ],
    [
      'different items',
      { a: [{ b: 1 }, { b: 1 }] },
      { properties: { a: { uniqueItems: true } } },
      ['/a schema.uniqueItems'],
    ],
    [
      'unknown members',
      { 'a/b': 1, c: 1 },
      { properties: { c: true }, additionalProperties: false },
      ['/a~1b schema.additionalProperties'],
    ],
    [
      'members that nothing evaluated',
      { a: 1, b: 2 },
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      ['/b schema.unevaluatedProperties'],
    ],
    [
      'alternatives',
      { a: 1 },
      { anyOf: [{ required: ['b'] }, { properties: { a: { type: 'string' } } }] },
      [' schema.anyOf'],
    ],
    ['conditions', { a: 1 }, { if: { required: ['z'] }, else: { required: ['b'] } }, ['/b schema.required']],
    ['dependencies', { a: 1 }, { dependentRequired: { a: ['b'] } }, ['/b schema.dependentRequired']],
    ['names', { Ab: 1 }, { propertyNames: { pattern: '^[a-z]+$' } }, ['/Ab schema.propertyNames']],
    [
      'references',
      { a: 1 },
      { properties: { a: { $ref: '#/$defs/a%20b' } }, $defs: { 'a b': { type: 'string' } } },
      ['/a schema.type'],
    ],
    [
      'anchors',
      { a: 1 },
      { properties: { a: { $ref: '#text' } }, definitions: { x: { $anchor: 'text', type: 'string' } } },
      ['/a schema.type'],
    ],
    [
      'references into what applies',
      { a: 1, b: 'x' },
      { properties: { a: { type: 'number' }, b: { $ref: '#/properties/a' } } },
      ['/b schema.type'],
    ],
    ['trees', { a: { a: { a: 1 } } }, { properties: { a: { $ref: '#' } }, type: 'object' }, ['/a/a/a schema.type']],
    ['nothing at all', { a: 1 }, true, []],
    ['everything', { a: 1 }, false, [' schema.false-schema']],
  ])('checks %s', (_what, record, schema, codes) => {
    expect(codesOf(record, schema)).toEqual(codes);
  });

  it('is read by what it says, not by what it annotates', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:x',
      title: 'T',
      default: {},
      examples: [{ pattern: '(a+)+' }],
      'x-mine': { $ref: 'http://a' },
      $comment: 'c',
    };
    expect(codesOf({}, schema)).toEqual([]);
  });

  it('sees members that every object inherits only where the record has them', () => {
    const record = parseExactly('{"__proto__":{"admin":true},"constructor":1}');
    expect(codesOf(record, { additionalProperties: false })).toEqual([
      '/__proto__ schema.additionalProperties',
      '/constructor schema.additionalProperties',
    ]);
    expect(codesOf({}, { required: ['constructor', 'hasOwnProperty'] })).toHaveLength(2);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ['a remote $ref', { properties: { a: { $ref: 'https://example.com/x.json' } } }, '/schema/properties/a/$ref'],
    ['a $ref to a file', { $ref: 'file:///etc/passwd' }, '/schema/$ref'],
    ['a $ref to a draft', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, '/schema/$ref'],
    ['a $ref to nothing', { $ref: '#/$defs/a' }, '/schema/$ref'],
    ['a $ref into what is not vetted', { $ref: '#/x/y', x: { y: { pattern: '(?=a)' } } }, '/schema/$ref'],
    ['a $ref into a value', { $ref: '#/const', const: { pattern: '(?=a)' } }, '/schema/$ref'],
    ['a $ref to a prototype', { $ref: '#/__proto__' }, '/schema/$ref'],
    ['a $ref of bad escapes', { $ref: '#/%zz' }, '/schema/$ref'],
    ['a $ref to itself', { $ref: '#' }, '/schema'],
    [
      'two $refs to one another',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
      '/schema',
    ],
    ['itself negated', { not: { $ref: '#' } }, '/schema'],
    ['$data', { properties: { a: { minimum: { $data: '1/b' } } } }, '/schema/properties/a/minimum'],
    ['$data as a pattern', { properties: { a: { pattern: { $data: '1/b' } } } }, '/schema/properties/a/pattern'],
    ['$data on its own', { $data: '/a' }, '/schema/$data'],
    ['$dynamicRef', { $dynamicRef: '#a' }, '/schema/$dynamicRef'],
    ['an embedded schema', { properties: { a: { $id: 'b' } } }, '/schema/properties/a/$id'],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/schema/$schema'],
    ['items as in older drafts', { items: [{}] }, '/schema/items'],
    ['an unknown type', { type: 'text' }, '/schema/type'],
    ['a length below zero', { maxLength: -1 }, '/schema/maxLength'],
    ['an empty enum', { enum: [] }, '/schema/enum'],
    ['a division by zero', { multipleOf: 0 }, '/schema/multipleOf'],
    ['a schema that is a text', { properties: { a: 'string' } }, '/schema/properties/a'],
    ['the same anchor twice', { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, '/schema/$defs/b/$anchor'],
    ['no schema', null, '/schema'],
    ['a list', [], '/schema'],
  ])('is refused with %s', (_what, schema, pointer) => {
    expect(pointerOf(schema, { a: 'x' })).toBe(pointer);
  });

  it.each(['(a)\\1', '(?=a)a', '(?<!b)a', 'a{1001}', 'a'.repeat(501), '('])(
    'is refused with the pattern %s, wherever it stands',
    (pattern) => {
      expect(pointerOf({ properties: { 'a/b': { pattern } } })).toBe('/schema/properties/a~1b/pattern');
      expect(pointerOf({ $defs: { unused: { items: { pattern } } } })).toBe('/schema/$defs/unused/items/pattern');
      const name = pattern.replaceAll('/', '~1');
      expect(pointerOf({ patternProperties: { [pattern]: true } })).toBe(`/schema/patternProperties/${name}`);
    },
  );

  it('is refused with members named __proto__', () => {
    for (const text of [
      '{"properties":{"__proto__":{}}}',
      '{"__proto__":{"type":"string"}}',
      '{"const":{"__proto__":1}}',
    ]) {
      expect(pointerOf(parseExactly(text))).toContain('__proto__');
    }
  });

  it('is refused beyond 64 KB, 32 levels, 300 schemas, 50 patterns of 5,000 instructions, 1,000 required members, and numbers beyond a double', () => {
    const many = (count: number, schema: (index: number) => unknown) => ({
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema(index)])),
    });
    let deep: object = {};
    for (let level = 0; level < 40; level++) deep = { not: deep };
    const names = Array.from({ length: 1_001 }, (_, index) => `n${index}`);
    const refused = [
      { title: 'x'.repeat(65_536) },
      deep,
      many(300, () => true),
      many(51, (index) => ({ pattern: `^${index}$` })),
      { required: names },
      many(6, (index) => ({ pattern: `^.{1000}${index}$` })),
      parseExactly('{"maximum":1e400}'),
    ];
    for (const schema of refused) refusalOf({}, schema);
    expect(
      codesOf(
        {},
        many(299, () => true),
      ),
    ).toEqual([]);
  });

  it('is refused when it would take too many steps for the record, however they arise', () => {
    const $defs: Record<string, unknown> = { a0: { type: 'string' } };
    for (let level = 1; level <= 40; level++) {
      $defs[`a${level}`] = { anyOf: [{ $ref: `#/$defs/a${level - 1}` }, { $ref: `#/$defs/a${level - 1}` }] };
    }
    const numbers = Array.from({ length: 30_000 }, (_, index) => index);
    const objects = Array.from({ length: 2_000 }, (_, index) => ({ index }));
    const bomb = { items: { $ref: '#/$defs/a12' }, $defs };
    const attacks: [unknown, unknown][] = [
      [{}, { $ref: '#/$defs/a40', $defs }],
      [{ a: numbers }, { properties: { a: bomb }, $defs }],
      [{ a: objects }, { properties: { a: { uniqueItems: true } } }],
      [{ a: numbers }, { properties: { a: { items: { enum: numbers.slice(0, 5_000) } } } }],
      [{ a: 'a'.repeat(8_192) }, { properties: { a: { pattern: '[ab]*a[ab]{900}c' } } }],
      [
        { a: numbers },
        { properties: { a: { items: { allOf: [{ type: 'string' }, { maximum: -1 }, { const: -1 }] } } } },
      ],
    ];
    for (const [record, schema] of attacks) refusalOf(record, schema);
  });

  it('allows what records need: long lists, long texts, and trees', () => {
    const list = Array.from({ length: 5_000 }, (_, index) => index);
    expect(codesOf({ a: list }, { properties: { a: { items: { type: 'integer', minimum: 0 } } } })).toEqual([]);
    const schema = { properties: { a: { pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 8_192, format: 'uri-reference' } } };
    expect(codesOf({ a: `${'a'.repeat(4_000)}@b` }, schema)).toEqual([]);
  });

  it('suggests the only value that is allowed', () => {
    const [issue] = checkSchema({ a: 'x' }, { properties: { a: { const: 'y' } } });
    expect(issue).toMatchObject({ detail: 'The value must be "y".', suggestion: 'y' });
  });

  it('gives an answer or a refusal, whatever the schema and the record', async () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      '$ref',
      'allOf',
      'not',
      'enum',
      'const',
      'pattern',
      'required',
      'format',
      '$defs',
      'if',
      'then',
      'minLength',
      'uniqueItems',
      'dependentRequired',
      'dependentSchemas',
      'contains',
      'minContains',
      'unevaluatedItems',
      'unevaluatedProperties',
      'prefixItems',
      'propertyNames',
      'constructor',
      'toString',
      'a',
    );
    const scalar = fc.oneof(
      fc.constantFrom('string', 'object', '#', '#/$defs/a', '#/properties/a', 'a', 'uri', 'regex', '^a+$'),
      fc.integer({ min: -1, max: 5 }),
      fc.boolean(),
      fc.constant(null),
    );
    const { schema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
      schema: fc.oneof(
        { withCrossShrink: true, maxDepth: 4 },
        fc.boolean(),
        fc.dictionary(keyword, tie('value'), { maxKeys: 4 }),
      ),
      value: fc.oneof(
        { maxDepth: 4 },
        scalar,
        tie('schema'),
        fc.array(fc.oneof(scalar, tie('schema')), { maxLength: 3 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(schema, fc.jsonValue(), async (schema, record) => {
        const outcome = outcomeOf(record, schema);
        expect(Array.isArray(outcome) || outcome instanceof ItemRefusal).toBe(true);
      }),
      { numRuns: isThorough ? 1_000 : 300 },
    );
  });

  it('means the same as it does to ajv, which gets it rebuilt', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(sensibleSchema, sensibleRecord, async (schema, record) => {
        const issues = outcomeOf(record, schema);
        if (issues instanceof ItemRefusal) return;
        accepted += 1;
        const ajv = new ajv2020.Ajv2020({ ...ORACLE, allErrors: true });
        expect((issues as unknown[]).length === 0).toBe(ajv.validate(schema as object, record));
      }),
      { numRuns: isThorough ? 400 : 120 },
    );
    expect(accepted).toBeGreaterThan(isThorough ? 150 : 15);
  });
});

const ORACLE = { strict: false, meta: false, validateSchema: false, ownProperties: true } as const;

const memberName = fc.constantFrom('a', 'b', 'c');
const leaf = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'bb', ''), fc.boolean(), fc.constant(null));

const { record: sensibleRecord } = fc.letrec<{ record: unknown }>((tie) => ({
  record: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.dictionary(memberName, tie('record'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('record'), { maxLength: 3 }),
  ),
}));

const { schema: sensibleSchema } = fc.letrec<{ schema: unknown; inner: unknown }>((tie) => {
  const list = fc.array(tie('inner'), { minLength: 1, maxLength: 2 });
  const named = fc.dictionary(memberName, tie('inner'), { maxKeys: 2 });
  const names = fc.uniqueArray(memberName, { maxLength: 2 });
  const keywords = {
    $ref: fc.constantFrom('#/$defs/a', '#/$defs/b', '#/properties/a', '#'),
    type: fc.constantFrom('object', 'array', 'string', 'integer', 'null'),
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), tie('inner'), { maxKeys: 2 }),
    additionalProperties: tie('inner'),
    unevaluatedProperties: tie('inner'),
    unevaluatedItems: tie('inner'),
    prefixItems: list,
    items: tie('inner'),
    contains: tie('inner'),
    minContains: fc.nat(2),
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: tie('inner'),
    if: tie('inner'),
    else: tie('inner'),
    required: names,
    dependentRequired: fc.dictionary(memberName, names, { maxKeys: 2 }),
    dependentSchemas: named,
    propertyNames: tie('inner'),
    enum: fc.array(leaf, { minLength: 1, maxLength: 3 }),
    const: leaf,
    pattern: fc.constantFrom('^a', 'b+$'),
    maxLength: fc.nat(2),
    minimum: fc.nat(3),
    uniqueItems: fc.boolean(),
    maxProperties: fc.nat(3),
  };
  const keyword = fc.oneof(
    ...Object.entries(keywords).map(([name, value]) => fc.tuple(fc.constant(name), value as fc.Arbitrary<unknown>)),
  );
  const few = fc.array(keyword, { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
  return {
    inner: fc.oneof({ maxDepth: 3 }, fc.boolean(), few),
    schema: fc
      .tuple(few, fc.record({ a: tie('inner'), b: tie('inner') }), fc.record({ a: tie('inner'), b: tie('inner') }))
      .map(([schema, $defs, properties]) => ({ ...schema, properties, $defs })),
  };
});

describe('the bundle of a function', () => {
  it('compiles schemas as the sources do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'schema-check-'));
    try {
      const source = '../../../functions/conversions/schemas/schema-check.ts';
      bundle(join(import.meta.dirname, source), folder);
      const bundled = (await import(pathToFileURL(join(folder, 'index.mjs')).href)) as {
        checkSchema: typeof checkSchema;
      };
      const schema = { properties: { a: { pattern: '^x$', format: 'email' } }, unevaluatedProperties: false };
      expect(bundled.checkSchema({ a: 'b', c: 1 }, schema)).toEqual(checkSchema({ a: 'b', c: 1 }, schema));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
