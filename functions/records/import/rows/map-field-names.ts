import type { MapFields } from '#shared/import/rows/parse-import-map';
import type { RecordSchema } from '../../schemas/schema.ts';
import { fieldAt, leafPaths } from '../../schemas/schemas.ts';

/** The names that an import map for records of one type may use. */
export const mapFields = (schema: RecordSchema): MapFields => ({
  type: schema.type,
  singular: schema.singular,
  names: fieldNames(schema),
  has: (path) => isField(schema, path),
});

/** Objects with a key and a value, such as `features`, have a field of every name. */
function isField(schema: RecordSchema, path: string): boolean {
  if (fieldAt(schema, path) !== undefined) return true;
  const dot = path.indexOf('.');
  const object = fieldAt(schema, path.slice(0, Math.max(dot, 0)));
  return object?.kind === 'object' && takesPairs(object.fields) && dot < path.length - 1;
}

const takesPairs = (fields: object): boolean => Object.hasOwn(fields, 'key') && Object.hasOwn(fields, 'value');

/** Every path that a map may name; `NAME` stands for a name of the caller's choice. */
function fieldNames(schema: RecordSchema): string[] {
  const pairs = Object.entries(schema.fields).filter(
    ([, field]) => field.kind === 'object' && takesPairs(field.fields),
  );
  return [...leafPaths(schema).map(({ path }) => path), ...pairs.map(([name]) => `${name}.NAME`)];
}
