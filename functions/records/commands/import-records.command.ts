/** npm run import -- --type TYPE: uploads files of records and waits until they are searchable. */
import { runCommandLine } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { importFiles, importTarget, mapIn } from '#shared/import/command/import-file.s3';
import { IMPORT_FILES, IMPORT_OPTIONS } from '#shared/import/command/import-options';
import { mapFields } from '../import/rows/map-field-names.ts';
import { RECORD_TYPES } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';

const LINE = {
  script: 'import',
  about: 'Uploads files of records and waits until they are searchable. Exits with 2 if lines were rejected.',
  options: {
    type: { value: 'TYPE', about: 'what the files hold', choices: RECORD_TYPES, required: true },
    ...IMPORT_OPTIONS,
  },
  operands: { ...IMPORT_FILES, about: 'NDJSON or CSV (.csv), plain or gzip (.gz)' },
  example: '--type businesses records.ndjson.gz',
} as const;

await runCommandLine(LINE, async ({ values, operands: files }) => {
  const { type } = values;
  const map = values.map === undefined ? undefined : await mapIn(values.map, mapFields(SCHEMAS[type]));
  const target = importTarget(await findDeployment(values.stage), {
    outputs: { bucket: 'ImportsBucket', table: 'RecordsTable' },
    folder: type,
    item: 'record',
    doing: 'indexing',
    now: () => Date.now(),
  });
  return importFiles(target, { files, map });
});
