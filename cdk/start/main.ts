/** npm start, and npm run dev with `--watch`: says at once that it begins, or what keeps it from that. The rest takes a while to load. */
import { resolve } from 'node:path';
import { startupProblem } from './startup-check.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

// Lambda's clock shows UTC.
process.env['TZ'] = 'UTC';

const sentence = startupProblem(ROOT, process.env['LOCAL_DATA_DIR'] || '.local');
if (sentence === undefined) {
  process.stdout.write('Starting the five services on this machine.\n');
  const { run } = await import('./local-run.ts');
  await run(ROOT, { watches: process.argv.includes('--watch') });
} else {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
