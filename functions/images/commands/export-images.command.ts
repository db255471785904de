/** npm run export calls this: it writes a tenant's validations, campaigns, pictures and examinations. */
import { runExport } from '#shared/export/export-command.s3';
import { pictureFolders } from '../exported-objects.ts';
import { IMAGES_KINDS } from '../stored-kinds.ts';

await runExport({
  name: 'images',
  table: 'ImagesTable',
  kinds: IMAGES_KINDS,
  objects: { bucket: 'ImagesPicturesBucket', prefixes: pictureFolders },
});
