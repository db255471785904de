import { type RecordSchema } from './schema.ts';
import { leafPaths } from './schemas.ts';
import { VIEWS } from './view.ts';

export const presentSummary = (schema: RecordSchema) => ({
  type: schema.type,
  name: schema.singular,
  fields: leafPaths(schema).length,
});

/** What can be searched, each field under the name that a query gives it, and what each view shows. */
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
