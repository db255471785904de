import { numberOf } from '#shared/formats/number-text';
import { MAX_REASONS, quoted, SHOWN } from '#shared/import/rows/reasons';
import { dateInterval } from '../../query/index-terms.ts';
import type {
  DataRecord,
  ObjectField,
  RecordSchema,
  RecordValue,
  Scalar,
  ValueField,
  ValueKind,
} from '../../schemas/schema.ts';

export type ValidatedRecord =
  | { readonly ok: true; readonly record: DataRecord }
  | { readonly ok: false; readonly reasons: readonly string[] };

/** The members of a valid record except its id, in schema order. */
export type RecordBody = Readonly<Record<string, RecordValue>>;

export type ValidatedBody =
  | { readonly ok: true; readonly id: string | undefined; readonly body: RecordBody }
  | { readonly ok: false; readonly reasons: readonly string[] };

/** Accepts a complete record, in its canonical form, or returns its faults. */
export function validateRecord(schema: RecordSchema, input: unknown): ValidatedRecord {
  const validated = validateBody(schema, input);
  if (!validated.ok) return validated;
  if (validated.id === undefined) return { ok: false, reasons: ['id is missing'] };
  return { ok: true, record: withId(validated.body, validated.id) };
}

/** Accepts a record that may lack its id: the import can derive one from the body. */
export function validateBody(schema: RecordSchema, input: unknown): ValidatedBody {
  if (!isObject(input)) return { ok: false, reasons: ['a record must be a JSON object'] };
  const check = new Check(schema);
  const body = check.body(input);
  const id = check.id(input['id']);
  return check.reasons.length === 0 ? { ok: true, id, body } : { ok: false, reasons: check.reasons };
}

/** The whole record. Every schema has `id` last, and so has every record. */
export function withId(body: RecordBody, id: string): DataRecord {
  return { ...body, id };
}

/** 1 to 64 characters that need no escape in a URL. */
export function isRecordId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Values that are dropped silently: an absent value means the same. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object') return value === undefined || value === '';
  if (Array.isArray(value)) return value.length === 0;
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}

/** Schemas as lists, because the loop over them runs for every record. */
const FIELDS = new WeakMap<RecordSchema | ObjectField, readonly (readonly [string, ValueField | ObjectField])[]>();

function fieldsOf(owner: RecordSchema | ObjectField): readonly (readonly [string, ValueField | ObjectField])[] {
  const cached = FIELDS.get(owner);
  if (cached !== undefined) return cached;
  const fields = Object.entries(owner.fields);
  FIELDS.set(owner, fields);
  return fields;
}

/** One pass over one record, gathering reasons. */
class Check {
  readonly reasons: string[] = [];
  private readonly schema: RecordSchema;

  constructor(schema: RecordSchema) {
    this.schema = schema;
  }

  body(input: JsonObject): RecordBody {
    const body: Record<string, RecordValue> = {};
    let knownNames = 0;
    for (const [name, field] of fieldsOf(this.schema)) {
      const value = input[name];
      if (value === undefined) continue;
      knownNames++;
      if (name === 'id' || isEmpty(value)) continue;
      const valid = field.kind === 'object' ? this.elements(value, name, field) : this.values(value, name, field);
      if (valid !== undefined) body[name] = valid;
    }
    this.refuseStrangers(input, knownNames, this.schema, '');
    return body;
  }

  id(value: unknown): string | undefined {
    if (isEmpty(value)) return undefined;
    if (typeof value === 'string' && isRecordId(value)) return value;
    this.refuse('id is 1 to 64 letters, digits, - or _');
    return undefined;
  }

  /** An object field; a single object counts as a list of one. */
  private elements(value: unknown, path: string, field: ObjectField): RecordValue | undefined {
    const elements: Record<string, Scalar | readonly Scalar[]>[] = [];
    for (const element of Array.isArray(value) ? value : [value]) {
      if (isEmpty(element)) continue;
      const valid = this.element(element, path, field);
      if (valid !== undefined) elements.push(valid);
    }
    return elements.length === 0 ? undefined : elements;
  }

  private element(
    element: unknown,
    path: string,
    field: ObjectField,
  ): Record<string, Scalar | readonly Scalar[]> | undefined {
    if (!isObject(element)) return this.refuse(`${path} must contain objects`);
    const valid: Record<string, Scalar | readonly Scalar[]> = {};
    let knownNames = 0;
    let validCount = 0;
    for (const [name, inner] of fieldsOf(field)) {
      const value = element[name];
      if (value === undefined) continue;
      knownNames++;
      if (isEmpty(value) || inner.kind === 'object') continue;
      const checked = this.values(value, `${path}.${name}`, inner);
      if (checked === undefined) continue;
      valid[name] = checked;
      validCount++;
    }
    this.refuseStrangers(element, knownNames, field, `${path}.`);
    return validCount === 0 ? undefined : valid;
  }

  /** A value field; a single value of a list field counts as a list of one. */
  private values(value: unknown, path: string, field: ValueField): Scalar | Scalar[] | undefined {
    if (field.list === undefined) {
      return Array.isArray(value) ? this.refuse(`${path} must be one value, not a list`) : this.one(value, path, field);
    }
    const values: Scalar[] = [];
    for (const item of Array.isArray(value) ? value : [value]) {
      const valid = isEmpty(item) ? undefined : this.one(item, path, field);
      if (valid !== undefined) values.push(valid);
    }
    return values.length === 0 ? undefined : values;
  }

  private one(value: unknown, path: string, { kind, limit }: ValueField): Scalar | undefined {
    const valid = scalar(value, kind);
    if (valid !== undefined && (limit === undefined || Math.abs(Number(valid)) <= limit)) return valid;
    const range = limit === undefined ? '' : ` from -${limit} to ${limit}`;
    return this.refuse(`${path} must be ${EXPECTED[kind]}${range}, not ${quoted(value)}`);
  }

  /** Only counts members until there is an unknown one to name. */
  private refuseStrangers(
    input: JsonObject,
    knownFields: number,
    owner: RecordSchema | ObjectField,
    prefix: string,
  ): void {
    const names = Object.keys(input);
    if (names.length === knownFields) return;
    for (const name of names) {
      if (Object.hasOwn(owner.fields, name)) continue;
      this.refuse(`${prefix}${name.slice(0, SHOWN)} does not exist in ${this.schema.singular} schema`);
    }
  }

  private refuse(reason: string): undefined {
    if (this.reasons.length < MAX_REASONS) this.reasons.push(reason);
    return undefined;
  }
}

const EXPECTED: Readonly<Record<ValueKind, string>> = {
  text: 'a string',
  keyword: 'a string',
  date: 'a date such as 2020-03-04T05:06:07Z',
  number: 'a number',
  boolean: 'true or false',
};

/** The value as it is stored, or undefined when it is not of its kind. */
function scalar(value: unknown, kind: ValueKind): Scalar | undefined {
  switch (kind) {
    case 'text':
    case 'keyword':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
      return typeof value === 'string' && numberOf(value) !== undefined ? value : undefined;
    case 'date':
      return typeof value === 'string' ? timestamp(value) : undefined;
    default:
      return booleanText(value);
  }
}

function booleanText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  const lower = typeof value === 'string' ? value.toLowerCase() : '';
  return lower === 'true' || lower === 'false' ? lower : undefined;
}

/** `YYYY-MM-DDThh:mm:ssZ`, for a partial date its first second. */
function timestamp(text: string): string | undefined {
  const interval = dateInterval(text);
  if (interval === undefined) return undefined;
  // Most dates come in the stored form, and formatting a date is what costs time.
  if (text.length === 20 && text[10] === 'T' && text[19] === 'Z') return text;
  const iso = new Date(interval.from).toISOString();
  // An offset can move the date out of the years 0 to 9999, where the format has a sign.
  return iso.length === 24 ? `${iso.slice(0, 19)}Z` : undefined;
}
