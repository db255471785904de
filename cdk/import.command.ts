/** npm run import: uploads files and waits until they are imported, by the command of the domain that has the type. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommandLine } from '#shared/command/command';
import { IMPORT_FILES, IMPORT_OPTIONS, IMPORT_TENANT } from '#shared/import/command/import-options';
import type { RecordType } from '../functions/records/schemas/schema.ts';

const PLACES = 'places/commands/import-places';
const RECORDS = 'records/commands/import-records';

/** The command for each type, by the path of its file below `functions/`. */
const COMMANDS = {
  businesses: RECORDS,
  products: RECORDS,
  properties: RECORDS,
  places: PLACES,
} as const satisfies Readonly<Record<RecordType | 'places', string>>;

const LINE = {
  script: 'import',
  about: 'Uploads files and waits until what they hold can be searched. Exits with 2 if lines were rejected.',
  options: {
    type: {
      value: 'TYPE',
      about: 'what the files hold',
      choices: Object.keys(COMMANDS) as (keyof typeof COMMANDS)[],
      required: true,
    },
    tenant: IMPORT_TENANT,
    ...IMPORT_OPTIONS,
  },
  operands: { ...IMPORT_FILES, about: 'NDJSON, CSV (.csv) or, with places, GeoJSON (.geojson), plain or gzip (.gz)' },
  example:
    '--type businesses --map functions/records/commands/examples/cafes-map.json functions/records/commands/examples/cafes.csv',
} as const;

await runCommandLine(LINE, ({ values }) => exitCodeOf(COMMANDS[values.type]));

/** Runs the command of the domain in this process, which reads the same arguments. */
async function exitCodeOf(command: string): Promise<number> {
  await import(pathToFileURL(join(import.meta.dirname, '..', 'functions', `${command}.command.ts`)).href);
  return Number(process.exitCode ?? 0);
}
