import { numberOf } from '#shared/formats/number-text';
import type { ImportMap } from '#shared/import/rows/parse-import-map';
import { MAX_REASONS } from '#shared/import/rows/reasons';
import type { ObjectField, RecordSchema, ValueField } from '../../schemas/schema.ts';
import { fieldAt } from '../../schemas/schemas.ts';

/** The record to validate, or why there is none. */
export type RowResult =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly reasons: readonly string[] };

/** Turns the rows of one CSV file into records. Everything that depends on the header alone is computed once. */
export function rowConverter(
  schema: RecordSchema,
  map: ImportMap,
  header: readonly string[],
): (cells: readonly string[]) => RowResult {
  const columns = header.map((name) => ({
    name,
    targets: (map.columns.get(name) ?? [name]).map((path) => targetOf(schema, path)),
  }));
  const constants = constantsOf(
    schema,
    map,
    columns.flatMap(({ targets }) => targets),
  );

  return (cells) => {
    if (cells.length !== header.length) {
      return { ok: false, reasons: [`the row has ${cells.length} cells, the header ${header.length}`] };
    }
    const draft = new Draft();
    const reasons: string[] = [];
    columns.forEach(({ name, targets }, at) => {
      const cell = cells[at]?.trim() ?? '';
      for (const target of targets) {
        const value = cellValue(cell, target);
        if (value.ok) draft.put(target, value.value);
        else reasons.push(`column "${name}" looks like JSON but is not valid JSON`);
      }
    });
    return reasons.length > 0
      ? { ok: false, reasons: reasons.slice(0, MAX_REASONS) }
      : { ok: true, input: draft.finish(constants) };
  };
}

/** Renames the members of records that are JSON already, and adds the constants. */
export function memberConverter(schema: RecordSchema, map: ImportMap): (record: unknown) => RowResult {
  const targets = new Map([...map.columns].map(([name, paths]) => [name, paths.map((path) => targetOf(schema, path))]));
  const constants = constantsOf(schema, map, [...targets.values()].flat());

  return (record) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return { ok: true, input: record };
    const draft = new Draft();
    for (const [name, value] of Object.entries(record)) {
      for (const target of targets.get(name) ?? [memberTarget(schema, name)]) draft.put(target, value);
    }
    return { ok: true, input: draft.finish(constants) };
  };
}

/** The place of a value in the record. */
type Target =
  | { readonly kind: 'member'; readonly name: string; readonly field: ValueField | ObjectField | undefined }
  /** A sub-field of the one element that the row makes of an object field. */
  | { readonly kind: 'sub'; readonly object: string; readonly name: string; readonly field: ValueField }
  /** A new element `{key, value}`: the form in which `features` takes columns that have no field. */
  | { readonly kind: 'pair'; readonly object: string; readonly key: string };

function targetOf(schema: RecordSchema, path: string): Target {
  const dot = path.indexOf('.');
  const object = fieldAt(schema, path.slice(0, Math.max(dot, 0)));
  // Validation refuses an unknown path as one that does not exist.
  if (object?.kind !== 'object') return memberTarget(schema, path);
  const [name, sub] = [path.slice(0, dot), path.slice(dot + 1)];
  const field = Object.hasOwn(object.fields, sub) ? object.fields[sub] : undefined;
  if (field !== undefined) return { kind: 'sub', object: name, name: sub, field };
  const takesPairs = Object.hasOwn(object.fields, 'key') && Object.hasOwn(object.fields, 'value');
  return takesPairs && sub !== '' ? { kind: 'pair', object: name, key: sub } : memberTarget(schema, path);
}

function memberTarget(schema: RecordSchema, name: string): Target {
  return { kind: 'member', name, field: name.includes('.') ? undefined : fieldAt(schema, name) };
}

/** A constant for a sub-field joins the element of the row; it makes one by itself only where no column could. */
interface Constant {
  readonly target: Target;
  readonly value: unknown;
  readonly makesElement: boolean;
}

function constantsOf(schema: RecordSchema, map: ImportMap, fed: readonly Target[]): Constant[] {
  const objects = new Set(fed.map((target) => (target.kind === 'sub' ? target.object : undefined)));
  return [...map.constants].map(([path, value]) => {
    const target = targetOf(schema, path);
    return { target, value, makesElement: target.kind !== 'sub' || !objects.has(target.object) };
  });
}

type CellValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * JSON when it begins like JSON, one value otherwise. In a text field, `[Water Bottle] still` and `{…}` are plain text:
 * real files have names like these, and no object is valid there.
 */
function cellValue(cell: string, target: Target): CellValue {
  const kind = target.kind === 'pair' ? 'text' : target.field?.kind;
  if (cell.startsWith('[') || cell.startsWith('{')) {
    const value = jsonIn(cell);
    const wantsText = kind === 'text' || kind === 'keyword';
    if (wantsText && !Array.isArray(value)) return { ok: true, value: cell };
    return value === undefined ? { ok: false } : { ok: true, value };
  }
  if (kind === 'number') return { ok: true, value: numberOf(cell) ?? cell };
  return { ok: true, value: kind === 'date' ? isoDate(cell) : cell };
}

function jsonIn(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}

/** `M/D/YYYY`, which spreadsheets write, as `YYYY-MM-DD`; anything else as it is. */
function isoDate(cell: string): string {
  const [month = '', day = '', year = '', ...rest] = cell.split('/', 4);
  if (rest.length > 0 || year.length !== 4 || month === '' || day === '') return cell;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** A record being built: the values of each member, and of the element that dotted paths fill. */
class Draft {
  private readonly members = new Map<string, Values>();
  private readonly elements = new Map<string, Map<string, Values>>();

  put(target: Target, value: unknown): void {
    // Only an unknown member is kept when empty, so that every row of a file with a wrong header is refused.
    if (isNothing(value) && (target.kind !== 'member' || target.field !== undefined)) return;
    if (target.kind === 'member') return put(this.members, target.name, target.field, value);
    if (target.kind === 'pair') {
      return put(this.members, target.object, LIST, { key: target.key, value: Array.isArray(value) ? value : [value] });
    }
    const element = this.elements.get(target.object) ?? new Map<string, Values>();
    this.elements.set(target.object, element);
    put(element, target.name, target.field, value);
  }

  finish(constants: readonly Constant[]): Readonly<Record<string, unknown>> {
    for (const { target, value, makesElement } of constants) {
      const isWanted = target.kind !== 'sub' || makesElement || this.elements.has(target.object);
      if (isWanted && !this.has(target)) this.put(target, value);
    }
    for (const [name, element] of this.elements) put(this.members, name, LIST, entries(element));
    return entries(this.members);
  }

  private has(target: Target): boolean {
    if (target.kind === 'member') return this.members.has(target.name) || this.elements.has(target.name);
    return target.kind === 'sub' && this.elements.get(target.object)?.has(target.name) === true;
  }
}

interface Values {
  readonly isList: boolean;
  readonly of: unknown[];
}

const LIST: ValueField = { kind: 'text', list: true };

/** Adds to the existing values. Two values of a single-valued field stay two, for validation to refuse. */
function put(
  members: Map<string, Values>,
  name: string,
  field: ValueField | ObjectField | undefined,
  value: unknown,
): void {
  const isList = field !== undefined && (field.kind === 'object' || field.list === true);
  const values = members.get(name) ?? { isList, of: [] };
  members.set(name, values);
  if (isList && Array.isArray(value)) for (const item of value) values.of.push(item);
  else values.of.push(value);
}

/** `fromEntries` also makes a plain member of `__proto__`. */
function entries(members: ReadonlyMap<string, Values>): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...members].map(([name, { isList, of }]) => [name, isList || of.length > 1 ? of : of[0]]));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
