/** npm run bench: every figure of `test/bench/README.md`, measured here and now. */
import { runCommandLine } from '#shared/command/command';
import { BENCHES } from './benches.ts';

const LINE = {
  script: 'bench',
  about: `Runs benchmarks, all of them without a name. Environment variables set how much is measured:
test/bench/README.md lists them.`,
  options: {},
  operands: { value: 'BENCH', about: Object.keys(BENCHES).join(', '), choices: Object.keys(BENCHES) },
  example: 'parser search',
} as const;

await runCommandLine(LINE, async ({ operands: names }) => {
  const failed: string[] = [];
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    try {
      await bench();
    } catch (error) {
      // With its stack: who runs benches can read it.
      console.error(error);
      failed.push(name);
    }
  }
  if (failed.length === 0) return 0;
  console.error(`Failed: ${failed.join(', ')}`);
  return 1;
});
