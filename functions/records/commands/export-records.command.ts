/** Called by npm run export: writes the download requests of a tenant, with their results. */
import { runExport } from '#shared/export/export-command.s3';
import { resultFolders } from '../exported-objects.ts';
import { RECORDS_KINDS } from '../stored-kinds.ts';

await runExport({
  name: 'records',
  table: 'RecordsTable',
  kinds: RECORDS_KINDS,
  objects: { bucket: 'ResultsBucket', prefixes: resultFolders },
});
