/** npm run export calls this: it writes a tenant's places, ad units and check-ins, and the imported files. */
import { runExport } from '#shared/export/export-command.s3';
import { importFolders } from '../exported-objects.ts';
import { PLACES_KINDS } from '../stored-kinds.ts';

await runExport({
  name: 'places',
  table: 'PlacesTable',
  kinds: PLACES_KINDS,
  objects: { bucket: 'PlacesImportsBucket', prefixes: importFolders },
});
