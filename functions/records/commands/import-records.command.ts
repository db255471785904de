/** npm run import -- --type TYPE [--map FILE.json] [--stage NAME] FILE…: uploads files and waits until they are searchable. */

import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { importFiles, importTarget, mapIn } from '#shared/import/command/import-file.s3';
import { mapFields } from '../import/rows/map-fields.ts';
import { isRecordType, RECORD_TYPES } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';

const USAGE = `Usage: npm run import -- --type TYPE [--map FILE.json] [--stage NAME] FILE…
TYPE is one of ${RECORD_TYPES.join(', ')}; a FILE is NDJSON or CSV (.csv), plain or gzip (.gz).`;

await runCommand(async () => {
  const { values, positionals: files } = parseArgs({
    options: { type: { type: 'string' }, map: { type: 'string' }, stage: { type: 'string' } },
    allowPositionals: true,
  });
  const { type } = values;
  if (!type || !isRecordType(type) || files.length === 0) throw new Error(USAGE);
  for (const file of files) await stat(file);
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
