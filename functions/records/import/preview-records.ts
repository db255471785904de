import { entriesOf, type ItemReader } from '#shared/import/rows/entries';
import { FILE_START } from '#shared/import/rows/lines';
import { previewFile } from '#shared/import/uploads/preview';
import type { PreviewedFile } from '#shared/import/uploads/upload-schemas';
import type { DataRecord, RecordType } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { mapFields } from './rows/map-field-names.ts';
import { recordReader } from './rows/record-reader.ts';

/** Previews the import of a file of records. */
export const previewRecords = (type: RecordType, file: PreviewedFile) =>
  previewFile(file, {
    fields: mapFields(SCHEMAS[type]),
    entriesOf: (chunks, { name, map, onNames }) =>
      entriesOf(chunks, {
        file: { name, checkpoint: FILE_START },
        reader: noting(recordReader(SCHEMAS[type], map), onNames),
      }),
  });

/** The same reader, which also passes the member names of JSON records on. */
const noting = (
  reader: ItemReader<DataRecord>,
  onNames: (names: readonly string[]) => void,
): ItemReader<DataRecord> => ({
  ...reader,
  fromJson(value) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) onNames(Object.keys(value));
    return reader.fromJson(value);
  },
});
