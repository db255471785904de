import * as fc from 'fast-check';
import type {
  DataRecord,
  ObjectField,
  RecordSchema,
  Scalar,
  ValueField,
  ValueKind,
} from '../../../functions/records/schemas/schema.ts';

/** Small enough that generated queries often match, and odd enough to matter. */
const WORDS = [
  'red',
  'Blue',
  'blueish',
  "Joe's",
  'café',
  'naïve',
  '12',
  'wal-mart',
  '東京',
  'ΟΔΟΣ',
  'İstanbul',
  '—',
  '"x"',
];

const scalars: Readonly<Record<ValueKind, fc.Arbitrary<Scalar>>> = {
  text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  keyword: fc.constantFrom('AB-12', 'ab-120', 'http://x.y/a?b=1', '00123', 'Two, words', 'É"t\né'),
  date: fc.constantFrom('2019-12-31T23:59:59Z', '2020-01-01T00:00:00Z', '2020-02-29T12:30:00Z', '1970-01-01T00:00:00Z'),
  number: fc.constantFrom<Scalar>(0, 5, -97.7, '30.25', '1e3', 1e21, '-0'),
  boolean: fc.constantFrom('true', 'false'),
};

/** Valid records with a handful of members. */
export function recordOf(schema: RecordSchema): fc.Arbitrary<DataRecord> {
  const members = Object.entries(schema.fields)
    .filter(([name]) => name !== 'id')
    .map(([name, field]) => fc.tuple(fc.constant(name), field.kind === 'object' ? elements(field) : values(field)));
  const body = fc.uniqueArray(fc.oneof(...members), { selector: ([name]) => name, maxLength: 12 });
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
  return fc.tuple(body, id).map(([entries, id]) => ({ ...inSchemaOrder(schema.fields, entries), id }));
}

/** As validation leaves them, so that a generated record is already in its canonical form. */
function inSchemaOrder<Value>(
  fields: Readonly<Record<string, unknown>>,
  entries: readonly (readonly [string, Value])[],
): Record<string, Value> {
  const names = Object.keys(fields);
  return Object.fromEntries([...entries].sort(([a], [b]) => names.indexOf(a) - names.indexOf(b)));
}

function values(field: ValueField): fc.Arbitrary<Scalar | readonly Scalar[]> {
  const { kind, limit = Number.POSITIVE_INFINITY } = field;
  const one = kind === 'number' ? scalars.number.filter((value) => Math.abs(Number(value)) <= limit) : scalars[kind];
  return field.list === true ? fc.array(one, { minLength: 1, maxLength: 4 }) : one;
}

function elements(field: ObjectField): fc.Arbitrary<readonly Readonly<Record<string, Scalar | readonly Scalar[]>>[]> {
  const members = Object.entries(field.fields).map(([name, inner]) => fc.tuple(fc.constant(name), values(inner)));
  const element = fc
    .uniqueArray(fc.oneof(...members), { selector: ([name]) => name, minLength: 1, maxLength: 5 })
    .map((entries) => inSchemaOrder(field.fields, entries));
  return fc.array(element, { minLength: 1, maxLength: 3 });
}
