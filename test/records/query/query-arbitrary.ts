import * as fc from 'fast-check';
import { MAX_QUERY_BYTES } from '../../../functions/records/query/parse.ts';
import type { DataRecord, RecordSchema, Scalar, ValueKind } from '../../../functions/records/schemas/schema.ts';
import { leafPaths } from '../../../functions/records/schemas/schemas.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

/**
 * Valid queries of every construct, whose fields, words and values come from the records, so that they find some of
 * them. Wildcards keep three letters at least, so that they stay below the limit of expansions also on real data.
 */
export function queryTexts(schema: RecordSchema, records: readonly DataRecord[]): fc.Arbitrary<string> {
  const vocabulary = vocabularyOf(schema, records);
  const leaf = leafQueries(vocabulary);
  const { level } = fc.letrec<{ level: string; clause: string; group: string }>((tie) => ({
    clause: fc
      .tuple(
        fc.constantFrom('', '', '', '', '+', '-', '!', 'NOT '),
        fc.oneof({ weight: 5, arbitrary: leaf }, { weight: 1, arbitrary: nested(vocabulary, tie('level')) }),
        fc.constantFrom('', '', '', '', '^2', '^0.5'),
      )
      .map((parts) => parts.join('')),
    group: joined(tie('clause'), [' AND ', ' && '], 3),
    level: joined(tie('group'), [' ', ' OR ', ' || ', '  '], 3),
  }));
  return level.filter((text) => Buffer.byteLength(text) <= MAX_QUERY_BYTES);
}

/** Invalid and hostile texts: random syntax, wrong fields, wrong kinds, and plain noise. */
export function hostileTexts(schema: RecordSchema, records: readonly DataRecord[]): fc.Arbitrary<string> {
  const leaf = leafQueries(vocabularyOf(schema, records));
  const pieces = fc.constantFrom(
    ...Array.from('()[]{}":^~*?\\/+-!&|<>=. '),
    'AND',
    'OR',
    'NOT',
    'TO',
    ' TO ',
    '_exists_:',
    'name:',
    'nope:',
  );
  return fc.oneof(
    fc
      .array(fc.oneof(pieces, leaf, fc.string({ unit: CODE_POINT, maxLength: 4 })), { maxLength: 20 })
      .map((all) => all.join('')),
    fc.string({ unit: CODE_POINT, maxLength: 100 }),
    fc
      .tuple(pieces, fc.integer({ min: 1, max: 9000 }))
      .map(([piece, times]) => piece.repeat(Math.ceil(times / piece.length))),
  );
}

interface Field {
  readonly path: string;
  readonly kind: ValueKind;
  readonly isDefault: boolean;
  readonly values: readonly string[];
}

/** The most values kept of one field: enough for variety, few enough to build generators from. */
const VALUES_MAX = 200;

function vocabularyOf(schema: RecordSchema, records: readonly DataRecord[]): Field[] {
  const fields = leafPaths(schema).map(({ path, kind, searchedByDefault }) => {
    const values = new Set<string>();
    for (const record of records) {
      for (const value of valuesOf(record, path)) if (values.size < VALUES_MAX) values.add(String(value));
    }
    return { path, kind, isDefault: searchedByDefault, values: [...values] };
  });
  return fields;
}

function valuesOf(record: DataRecord, path: string): readonly Scalar[] {
  const [name = '', sub] = path.split('.');
  const value = record[name];
  if (value === undefined) return [];
  if (typeof value !== 'object') return [value];
  return value.flatMap((item: Scalar | Readonly<Record<string, Scalar | readonly Scalar[]>>): readonly Scalar[] => {
    if (typeof item !== 'object') return [item];
    const inner = sub === undefined ? undefined : item[sub];
    if (inner === undefined) return [];
    return typeof inner === 'object' ? inner : [inner];
  });
}

function leafQueries(fields: readonly Field[]): fc.Arbitrary<string> {
  const filled = fields.filter(({ values }) => values.length > 0);
  const named = filled.map(({ path, kind, values }) => {
    const value = fc.constantFrom(...values);
    return valueQueries(kind, value).map((text) => `${path}:${text}`);
  });
  const bare = filled.filter(({ isDefault }) => isDefault).map(({ values }) => bareQueries(fc.constantFrom(...values)));
  const paths = fc.constantFrom(...fields.flatMap(({ path }) => [path, path.split('.')[0] ?? path]));
  return fc.oneof(
    ...named,
    ...bare,
    paths.map((path) => `${path}:*`),
    paths.map((path) => `_exists_:${path}`),
    fc.constantFrom('*:*', '*', '*:red', 'zzz', '"no such words"'),
  );
}

/** A level in parentheses, with or without a field of text that it passes down. */
function nested(fields: readonly Field[], level: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const texts = fields.filter(({ kind, values }) => kind === 'text' && values.length > 0);
  const inParentheses = level.map((text) => `(${text})`);
  if (texts.length === 0) return inParentheses;
  const passedDown = fc
    .constantFrom(...texts)
    .chain(({ path, values }) =>
      joined(textQueries(fc.constantFrom(...values)), [' ', ' OR ', ' AND ', ' AND -', ' -'], 3).map(
        (text) => `${path}:(${text})`,
      ),
    );
  return fc.oneof(inParentheses, passedDown);
}

function joined(item: fc.Arbitrary<string>, separators: readonly string[], maxLength: number): fc.Arbitrary<string> {
  const more = fc.array(fc.tuple(fc.constantFrom(...separators), item), { maxLength: maxLength - 1 });
  return fc.tuple(item, more).map(([first, others]) => first + others.flat().join(''));
}

function valueQueries(kind: ValueKind, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  switch (kind) {
    case 'text':
      return fc.oneof(textQueries(value), ranges(value.map(firstWord).map(escaped)));
    case 'keyword':
      return fc.oneof(keywordQueries(value), ranges(value.map(escaped)));
    case 'boolean':
      return fc.constantFrom('true', 'false', 'TRUE', '"False"');
    case 'number':
      return fc.oneof(value, value.map(quoted), ranges(value));
    default:
      return fc.oneof(partialDates(value), partialDates(value).map(quoted), ranges(partialDates(value)));
  }
}

/** Queries without a field, where a word must not look like one. */
function bareQueries(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(textQueries(value), ranges(value.map(firstWord).map(escaped)));
}

function textQueries(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const word = value.chain((text) => fc.constantFrom(...(letters(text).length > 0 ? letters(text) : ['x'])));
  return fc.oneof(
    word.map(escaped),
    word.map((text) => escaped(text.toUpperCase())),
    value.map(firstWord).map(escaped),
    fc.tuple(value, fc.nat(3), fc.integer({ min: 1, max: 3 })).map(([text, from, count]) => {
      const all = text.split(' ');
      const start = Math.min(from, all.length - 1);
      return quoted(all.slice(start, start + count).join(' '));
    }),
    wildcards(word),
  );
}

function keywordQueries(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    value.map(quoted),
    value.map(escaped),
    value.map((text) => escaped(text.toUpperCase())),
    wildcards(value),
  );
}

function wildcards(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(value, fc.integer({ min: 3, max: 6 }), fc.constantFrom('prefix', 'one', 'run', 'suffix'))
    .map(([text, cut, form]) => {
      const characters = Array.from(text);
      const head = characters.slice(0, cut).map(escaped).join('');
      const tail = characters
        .slice(cut + 1)
        .map(escaped)
        .join('');
      if (characters.length <= 3 || form === 'prefix') return `${head}*`;
      if (form === 'suffix') return `?${characters.slice(1).map(escaped).join('')}`;
      return form === 'one' ? `${head}?${tail}` : `${head}*${tail}`;
    });
}

function ranges(bound: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edge = fc.oneof({ weight: 4, arbitrary: bound }, { weight: 1, arbitrary: fc.constant('*') });
  const between = fc
    .tuple(fc.constantFrom('[', '{'), edge, edge, fc.constantFrom(']', '}'))
    .map(([open, from, to, close]) => `${open}${from} TO ${to}${close}`);
  return fc.oneof(
    between,
    fc.tuple(fc.constantFrom('>', '>=', '<', '<='), bound).map((parts) => parts.join('')),
  );
}

/** `2020`, `2020-03`, and so on to the whole. */
function partialDates(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(value, fc.constantFrom(4, 7, 10, 13, 16, 19, 20)).map(([text, length]) => text.slice(0, length));
}

function letters(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function firstWord(text: string): string {
  return text.split(' ', 1)[0] || 'x';
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Safe anywhere outside quotes. The escape distinguishes words from operators. */
function escaped(text: string): string {
  const safe = text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
  return /^(AND|OR|NOT|TO)$/.test(text) ? `\\${text}` : safe;
}
