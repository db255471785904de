/** npm run import -- --type TYPE [--map FILE.json] [--stage NAME] FILE…: uploads files and waits until they are searchable. */

import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { importFiles, importTarget } from '#shared/import/command/import-file.s3';
import { readColumnMap } from '../import/rows/read-column-map.ts';
import { isRecordType, RECORD_TYPES, type RecordType } from '../schemas/schema.ts';
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
  const map = values.map === undefined ? undefined : await mapIn(values.map, type);
  const target = importTarget(await findDeployment(values.stage), {
    outputs: { bucket: 'ImportsBucket', table: 'RecordsTable' },
    folder: type,
    items: 'records',
    doing: 'indexing',
    now: () => Date.now(),
  });
  return importFiles(target, { files, map });
});

/** The text of a map that fits the record type: a wrong one would reject every line, after the upload. */
async function mapIn(file: string, type: RecordType): Promise<string> {
  const text = await readFile(file, 'utf8');
  const read = readColumnMap(text, SCHEMAS[type]);
  if (!read.ok) throw new Error(`${file}: ${read.message}`);
  return text;
}
