import { type RecordSchema } from './schema.ts';
import { leafPaths } from './schemas.ts';
import { VIEWS } from './view.ts';

export const presentSummary = (schema: RecordSchema) => ({
  type: schema.type,
  name: schema.singular,
  fields: leafPaths(schema).length,
});

/** The searchable fields, each under its name in queries, and the fields of each view. */
export const presentSchema = (schema: RecordSchema) => ({
  type: schema.type,
  fields: leafPaths(schema).map(({ path, kind, list, searchedByDefault, parent }) => ({
    name: path,
    type: kind,
    list,
    searchable: true,
    searchedByDefault,
    ...(parent !== undefined && { parent }),
  })),
  views: VIEWS.filter(({ type }) => type === schema.type).map(({ name, fields }) => ({
    name,
    fields: [...fields, 'id'],
  })),
});
