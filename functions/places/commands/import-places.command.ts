/** npm run import -- --type places: uploads files and waits until their places are stored. */
import { TenantId } from '#shared/auth/management-caller';
import { runCommandLine } from '#shared/command/command';
import { wrongCall } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { importFiles, importTarget, mapIn } from '#shared/import/command/import-file.s3';
import { IMPORT_FILES, IMPORT_OPTIONS, IMPORT_TENANT } from '#shared/import/command/import-options';
import { MAP_FIELDS } from '../import/place-fields.ts';

const LINE = {
  script: 'import',
  about: 'Uploads files of places and waits until they are stored. Exits with 2 if lines were rejected.',
  options: {
    type: { value: 'TYPE', about: 'what the files hold', choices: ['places'], required: true },
    tenant: IMPORT_TENANT,
    ...IMPORT_OPTIONS,
  },
  operands: { ...IMPORT_FILES, about: 'NDJSON, CSV (.csv) or GeoJSON (.geojson), plain or gzip (.gz)' },
  example: '--type places functions/places/commands/examples/cafes.geojson',
} as const;

await runCommandLine(LINE, async ({ values, operands: files }) => {
  const { data: tenant } = TenantId.safeParse(values.tenant);
  if (tenant === undefined) throw wrongCall(`"${values.tenant}" cannot be the id of a tenant.`);
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
