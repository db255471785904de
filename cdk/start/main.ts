/** npm start, and npm run dev with `--watch`: says at once that it begins, or what keeps it from that. The rest takes a while to load. */
import { resolve } from 'node:path';
import { runCommandLine } from '#shared/command/command';
import { startupProblem } from './startup-check.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

// Lambda's clock shows UTC.
process.env['TZ'] = 'UTC';

const LINE = {
  script: 'start',
  about: `Runs the five services on this machine. PORT and LOCAL_AWS_PORT say where (3000 and 4566), LOCAL_DATA_DIR which folder
keeps their state (.local; :memory: keeps nothing).`,
  options: { watch: { about: 'takes changed code into use at the next call, as npm run dev does' } },
  example: '--watch',
} as const;

await runCommandLine(LINE, async ({ values }) => {
  const sentence = startupProblem(ROOT, process.env['LOCAL_DATA_DIR'] || '.local');
  if (sentence !== undefined) throw new Error(sentence);
  process.stdout.write('Starting the five services on this machine.\n');
  const { run } = await import('./local-run.ts');
  await run(ROOT, { watches: values.watch });
  return Number(process.exitCode ?? 0);
});
