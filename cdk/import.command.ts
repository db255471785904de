/**
 * npm run import -- --type TYPE [--map FILE.json] [--tenant NAME] [--stage NAME] FILE…: uploads files and waits until
 * they are imported, by the command of the domain that has the type.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '#shared/command';
import type { RecordType } from '../functions/records/schemas/schema.ts';

const PLACES = 'places/commands/import-places';
const RECORDS = 'records/commands/import-records';

/** The command for each type, by the path of its file below `functions/`. */
const COMMANDS: Readonly<Record<RecordType | 'places', string>> = {
  businesses: RECORDS,
  products: RECORDS,
  properties: RECORDS,
  places: PLACES,
};

const USAGE = `Usage: npm run import -- --type TYPE [--map FILE.json] [--tenant NAME] [--stage NAME] FILE…
TYPE is one of ${Object.keys(COMMANDS).join(', ')}; --tenant is for places, "demo" unless named.
A FILE is NDJSON, CSV (.csv) or, with places, GeoJSON (.geojson), plain or gzip (.gz).`;

await runCommand(() => {
  const { type } = parseArgs({ options: { type: { type: 'string' } }, strict: false }).values;
  const command = Object.entries(COMMANDS).find(([name]) => name === type)?.[1];
  if (command === undefined) throw new Error(USAGE);
  return exitCodeOf(command);
});

/** The command with the arguments of this process, on the same terminal. */
async function exitCodeOf(command: string): Promise<number> {
  const file = join(import.meta.dirname, '..', 'functions', `${command}.command.ts`);
  const child = spawn(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code ?? 1)));
}
