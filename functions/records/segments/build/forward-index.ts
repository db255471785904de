import { numberOf } from '#shared/formats/number-text';
import { dateInterval, keywordTerm, titleTerm, words } from '../../query/index-terms.ts';
import type { DataRecord, RecordSchema, RecordValue, Scalar, ValueField, ValueKind } from '../../schemas/schema.ts';
import { Float64List, Uint32List, Uint32Pages } from '../format/bytes.ts';
import { titlesOf } from '../format/format.ts';
import { TermNumbers, TermTable } from './term-table.ts';

/**
 * The contents of the records of a segment being built, as numbers: for each record the numbers of its terms, in order.
 * They become postings when all records have been added and their order is known, so no term needs a list meanwhile.
 */
export class ForwardIndex {
  /** The fields in schema order; an object field comes before its sub-fields. */
  readonly fields: readonly IndexedField[];
  readonly #plans: ReadonlyMap<string, FieldPlan>;
  /** Numbers of terms, and between them the marks of text fields, record by record. */
  readonly codes = new Uint32Pages();
  /** The offset of the codes of each record. */
  readonly #starts = new Uint32List();
  readonly #terms = new TermNumbers();
  /** The values of one field of one record, gathered in the same array every time. */
  readonly #values: Scalar[] = [];

  constructor(schema: RecordSchema) {
    const fields: IndexedField[] = [];
    const open = (path: string, kind: IndexedField['kind']): IndexedField => {
      const field = new IndexedField(path, kind, this.#terms);
      fields.push(field);
      return field;
    };
    const plan = (name: string, field: RecordSchema['fields'][string]): FieldPlan => {
      const own = open(name, field.kind);
      if (field.kind !== 'object') {
        return field.isTitle ? { field: own, titles: open(titlesOf(name), 'keyword') } : { field: own };
      }
      const subFields = Object.entries<ValueField>(field.fields);
      return {
        field: own,
        subFields: subFields.map(([sub, { kind }]) => ({ name: sub, field: open(`${name}.${sub}`, kind) })),
      };
    };
    this.#plans = new Map(Object.entries(schema.fields).map(([name, field]) => [name, plan(name, field)]));
    this.fields = fields;
  }

  /** The number of terms. */
  get terms(): number {
    return this.#terms.count;
  }

  /** Adds the next record. */
  add(record: DataRecord): void {
    const recordNumber = this.#starts.length;
    this.#starts.push(this.codes.length);
    for (const name in record) {
      const plan = this.#plans.get(name);
      const value = record[name];
      if (plan === undefined || value === undefined) continue;
      this.#push(plan.field.exists);
      if (plan.titles && typeof value === 'string') this.#addTitle(plan.titles, value);
      if (plan.subFields) this.#addObjects(plan.subFields, value, recordNumber);
      else this.#addValues(plan.field, this.#valuesOf(value), recordNumber);
    }
  }

  /** The most records or occurrences that a term can have: replaced records and repeated values count too. */
  usesOf(term: number): number {
    return this.#terms.uses(term);
  }

  /** The offset of the codes of a record; they end where those of the next one begin. */
  startOf(recordNumber: number): number {
    return recordNumber < this.#starts.length ? this.#starts.at(recordNumber) : this.codes.length;
  }

  #valuesOf(value: RecordValue): readonly Scalar[] {
    this.#values.length = 0;
    if (typeof value !== 'object') this.#values.push(value);
    else for (const element of value) if (typeof element !== 'object') this.#values.push(element);
    return this.#values;
  }

  #addObjects(subFields: readonly SubField[], value: RecordValue, recordNumber: number): void {
    if (typeof value !== 'object') return;
    const values = this.#values;
    for (const { name, field } of subFields) {
      values.length = 0;
      for (const element of value) appendMember(element, name, values);
      if (values.length === 0) continue;
      this.#push(field.exists);
      this.#addValues(field, values, recordNumber);
    }
  }

  #addValues(field: IndexedField, values: readonly Scalar[], recordNumber: number): void {
    if (field.kind === 'text') this.#addText(field, values);
    else if (field.kind === 'number' || field.kind === 'date') addNumbers(field, values, recordNumber);
    else for (const value of values) this.#push(field.terms.numberOf(keywordTerm(String(value))));
  }

  #addTitle({ terms }: IndexedField, value: string): void {
    const title = titleTerm(words(value));
    if (title !== undefined) this.#push(terms.numberOf(title));
  }

  #addText({ terms }: IndexedField, values: readonly Scalar[]): void {
    this.codes.push(TEXT_BEGINS);
    for (const value of values) {
      terms.eachWord(String(value), this.#push);
      if (values.length > 1) this.codes.push(VALUE_ENDS);
    }
    this.codes.push(TEXT_ENDS);
  }

  readonly #push = (term: number): void => {
    this.#terms.use(term);
    this.codes.push(term);
  };
}

/** The terms and values collected for one field. */
export class IndexedField {
  readonly path: string;
  readonly kind: ValueKind | 'object';
  /** Number of the term that stands for "has a value". */
  readonly exists: number;
  readonly terms: TermTable;
  /** Values of a number or date field, with the number of the record each is of. */
  readonly values = new Float64List();
  readonly records = new Uint32List();

  constructor(path: string, kind: ValueKind | 'object', numbers: TermNumbers) {
    this.path = path;
    this.kind = kind;
    this.exists = numbers.next();
    this.terms = new TermTable(numbers);
  }
}

interface SubField {
  readonly name: string;
  readonly field: IndexedField;
}

interface FieldPlan {
  readonly field: IndexedField;
  /** The whole titles, if the field is the title. */
  readonly titles?: IndexedField;
  readonly subFields?: readonly SubField[];
}

/**
 * Codes that are not terms; the last of them is the lowest. Between the first and the last are the terms of a text
 * field, each as often as it occurs.
 */
const TEXT_BEGINS = 0xffffffff;
export const VALUE_ENDS = 0xfffffffe;
export const TEXT_ENDS = 0xfffffffd;

function addNumbers(field: IndexedField, values: readonly Scalar[], recordNumber: number): void {
  for (const value of values) {
    const number = field.kind === 'date' ? dateInterval(String(value))?.from : asNumber(value);
    if (number === undefined) continue;
    field.values.push(number);
    field.records.push(recordNumber);
  }
}

const asNumber = (value: Scalar): number | undefined => (typeof value === 'number' ? value + 0 : numberOf(value));

function appendMember(
  element: Scalar | Readonly<Record<string, Scalar | readonly Scalar[]>>,
  name: string,
  into: Scalar[],
) {
  if (typeof element !== 'object') return;
  const value = element[name];
  if (typeof value === 'object') into.push(...value);
  else if (value !== undefined) into.push(value);
}
