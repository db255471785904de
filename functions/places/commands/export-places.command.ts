/** Called by npm run export: writes what places hold of a tenant, with the files that were imported. */
import { runExport } from '#shared/export/export-command.s3';
import { importFolders } from '../exported-objects.ts';
import { PLACES_KINDS } from '../stored-kinds.ts';

await runExport({
  name: 'places',
  table: 'PlacesTable',
  kinds: PLACES_KINDS,
  objects: { bucket: 'PlacesImportsBucket', prefixes: importFolders },
});
