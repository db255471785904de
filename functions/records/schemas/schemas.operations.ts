import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { RecordTypeName, RecordTypePath } from './record-type.ts';

const RecordSchemaSummary = named(
  'RecordSchemaSummary',
  z.object({
    type: RecordTypeName,
    name: z.enum(['business', 'product', 'property']),
    fields: z.int().describe('The number of fields.'),
  }),
  'A record type.',
);

const RecordField = named(
  'RecordField',
  z.object({
    name: z.string().describe('As a query gives it, such as `prices.amountMin`.'),
    type: z.enum(['text', 'keyword', 'date', 'number', 'boolean']),
    list: z.boolean().describe('True if the field holds several values.'),
    searchable: z.boolean(),
    searchedByDefault: z.boolean().describe('True if terms without a field name search this field.'),
    parent: z.string().optional().describe('The field whose elements have this one.'),
  }),
);

const RecordView = named(
  'RecordView',
  z.object({ name: z.string(), fields: z.array(z.string()) }),
  'A fixed selection of the fields of a record.',
);

const RecordSchema = named(
  'RecordSchema',
  z.object({ type: RecordTypeName, fields: z.array(RecordField), views: z.array(RecordView) }),
  'A record type with its fields and views.',
);

/** Operations on record types. */
export const recordSchemaOperations = operations({
  listRecordSchemas: {
    route: 'GET /manage/v1/schemas',
    summary: 'List record types',
    answers: { 200: named('RecordSchemaList', z.object({ items: z.array(RecordSchemaSummary) })) },
  },
  getRecordSchema: {
    route: 'GET /manage/v1/schemas/{type}',
    summary: 'Get the fields and views of a record type',
    path: RecordTypePath,
    answers: { 200: RecordSchema },
  },
});
