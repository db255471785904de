/** Runs before each test file: whatever is left to chance follows the seed, and failing tests get their circumstances. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeEach, expect, vi } from 'vitest';
import { circumstances, forgetServiceLines } from '../support/runner/circumstances.ts';
import { SEED, seedMathRandom } from '../support/runner/seed.ts';

declare module 'vitest' {
  interface TaskMeta {
    circumstances?: string;
    /** The processor seconds of the process of a file while it ran. */
    processorSeconds?: number;
    /** The processor seconds of the ended processes that a file started. */
    childSeconds?: number;
  }
}

/** `sysconf(_SC_CLK_TCK)` of every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const ROOT = join(import.meta.dirname, '..', '..');

const ofFile = circumstances();
const processorBefore = process.cpuUsage();
const childrenBefore = childSeconds();
forgetServiceLines();
fc.configureGlobal({ seed: SEED });
// For hooks of the file. The product takes Math.random where it spreads retries, and so do tests that pass chance to it.
seedMathRandom(relative(ROOT, expect.getState().testPath ?? ''));

beforeEach(({ task, onTestFailed }) => {
  seedMathRandom(task.fullName);
  const ofTest = circumstances();
  onTestFailed(() => {
    task.meta.circumstances = ofTest();
  });
});

// A hook that fails has no test of its own.
// oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
afterAll(({}, suite) => {
  suite.file.meta.circumstances = ofFile();
  const { user, system } = process.cpuUsage(processorBefore);
  suite.file.meta.processorSeconds = (user + system) / 1e6;
  suite.file.meta.childSeconds = childSeconds() - childrenBefore;
});

// The next file may have the same process.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** Returns the processor seconds of the ended children of this process, as Linux counts them; 0 elsewhere. */
function childSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The second field is the name of the program in parentheses, which may hold spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}
