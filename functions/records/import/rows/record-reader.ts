import { createHash } from 'node:crypto';
import { deletionIn, type ItemReader } from '#shared/import/rows/entries';
import type { Outcome } from '#shared/import/rows/entry';
import { usableMap } from '#shared/import/rows/parse-import-map';
import type { DataRecord, RecordSchema } from '../../schemas/schema.ts';
import { memberConverter, type RowResult, rowConverter } from './convert-row.ts';
import { mapFields } from './map-field-names.ts';
import { isRecordId, type RecordBody, validateBody, withId } from './validate.ts';

/** Reads records of one type from the entries of a file. @param map the text of the import map, if there is one. */
export function recordReader(schema: RecordSchema, map: string | undefined): ItemReader<DataRecord> {
  const importMap = usableMap(map, mapFields(schema));
  const convert = memberConverter(schema, importMap);
  return {
    fromJson: (value) => deletionIn(value, { isId: isRecordId, of: 'a record' }) ?? outcomeOf(convert(value), schema),
    fromRows(columns) {
      const convertRow = rowConverter(schema, importMap, columns);
      return (cells) => outcomeOf(convertRow(cells), schema);
    },
  };
}

function outcomeOf(converted: RowResult, schema: RecordSchema): Outcome<DataRecord> {
  if (!converted.ok) return { kind: 'rejected', reason: converted.reasons.join('; ') };
  const validated = validateBody(schema, converted.input);
  if (!validated.ok) return { kind: 'rejected', reason: validated.reasons.join('; ') };
  const { id, body } = validated;
  if (id === undefined && Object.keys(body).length === 0) return { kind: 'rejected', reason: 'the record is empty' };
  return { kind: 'item', item: withId(body, id ?? contentId(body)) };
}

/**
 * The id of a record that has none: 20 URL-safe characters of a hash of its content. Importing the same record again
 * replaces it, and a changed one is a different record.
 */
function contentId(body: RecordBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest().subarray(0, 15).toString('base64url');
}
