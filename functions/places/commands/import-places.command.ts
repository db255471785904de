/**
 * npm run import -- --type places [--tenant NAME] [--map FILE.json] [--stage NAME] FILE…: uploads files and waits until
 * their places are stored.
 */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { TenantId } from '#shared/auth/management-caller';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { importFiles, importTarget, mapIn } from '#shared/import/command/import-file.s3';
import { MAP_FIELDS } from '../import/place-fields.ts';

const USAGE = `Usage: npm run import -- --type places [--tenant NAME] [--map FILE.json] [--stage NAME] FILE…
A FILE is NDJSON, CSV (.csv) or GeoJSON (.geojson), plain or gzip (.gz). The tenant is demo unless named.`;

await runCommand(async () => {
  const { values, positionals: files } = parseArgs({
    options: {
      type: { type: 'string' },
      tenant: { type: 'string', default: 'demo' },
      map: { type: 'string' },
      stage: { type: 'string' },
    },
    allowPositionals: true,
  });
  if (values.type !== 'places' || files.length === 0) throw new Error(USAGE);
  const { data: tenant } = TenantId.safeParse(values.tenant);
  if (tenant === undefined) throw new Error(`"${values.tenant}" cannot be the id of a tenant.`);
  for (const file of files) await stat(file);
  const map = values.map === undefined ? undefined : await mapIn(values.map, MAP_FIELDS);
  const target = importTarget(await findDeployment(values.stage), {
    outputs: { bucket: 'PlacesImportsBucket', table: 'PlacesTable' },
    folder: tenant,
    item: 'place',
    doing: 'storing',
    now: () => Date.now(),
  });
  return importFiles(target, { files, map });
});
