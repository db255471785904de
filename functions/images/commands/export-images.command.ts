/** Called by npm run export: writes what images hold of a tenant, with the pictures and what was read in them. */
import { runExport } from '#shared/export/export-command.s3';
import { pictureFolders } from '../exported-objects.ts';
import { IMAGES_KINDS } from '../stored-kinds.ts';

await runExport({
  name: 'images',
  table: 'ImagesTable',
  kinds: IMAGES_KINDS,
  objects: { bucket: 'ImagesPicturesBucket', prefixes: pictureFolders },
});
