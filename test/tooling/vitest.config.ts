import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { chromiumPath } from '../support/console/browser.ts';
import { SEED } from '../support/runner/seed.ts';
import { embeddedFiles } from './embedded-files.ts';
import { FailureReporter } from './failure-reporter.ts';

if (chromiumPath() === undefined) {
  process.stderr.write('Journeys in a browser are skipped: there is no chromium on the PATH.\n');
}

const ROOT = join(import.meta.dirname, '..', '..');
/** True if files, and tests within each, run in an order that the seed decides. */
const isRandomOrder = process.env['TEST_ORDER'] === 'random';
/**
 * What outlives a file in its process: modules that read a variable as they loaded, and the counts of faults and throttles,
 * which a file that asserts them must begin at none. Spies and other variables end with their file.
 */
const CHANGES_PROCESS =
  /\bvi\.(mock|reset)|\bprocess\.env(\.\w+|\[[^\]]+\])? [?|]*=[^=]|delete process\.env|Object\.assign\(process\.env|vi\.stub[^]*\bimport\(|loggedLines[^]*(Faults|Throttles)/;

const files = globSync('test/**/*.test.ts', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
const alone = files.filter((file) => CHANGES_PROCESS.test(readFileSync(join(ROOT, file), 'utf8')));

/** Small files that take long. */
const LONG = /readme\.test\.ts$/;

/** Large files first, and small ones that take long before other small ones: no test should run on alone. */
class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [long = [], others = []] = [true, false].map((isLong) =>
      sorted.filter(({ moduleId }) => LONG.test(moduleId) === isLong),
    );
    return others.toSpliced(others.length / 2, 0, ...long);
  }
}

/** By the seed, but those alone first: a process that others share ends when the next file is to be alone. */
class BySeed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const chance = ({ moduleId }: TestSpecification) =>
      createHash('sha256')
        .update(`${SEED} ${relative(ROOT, moduleId)}`)
        .digest('hex');
    const isShared = ({ project }: TestSpecification) => Number(project.name === 'together');
    return files.toSorted((a, b) => isShared(a) - isShared(b) || (chance(a) < chance(b) ? -1 : 1));
  }
}

/**
 * The tests that `npm test` runs. Long proofs are `*.long.ts` and run by `npm run test:long`. To load the libraries anew
 * for every file takes a third of the processor time, so only files that change their process have one of their own.
 */
export default defineConfig({
  plugins: [embeddedFiles()],
  test: {
    // A hang, not a slow machine: on a busy one a test may take a hundred times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    // For two cores: journeys wait a quarter of their time.
    maxWorkers: 3,
    // By size, not by the time they took: journeys next to journeys wait for each other, a fifth longer in all.
    cache: false,
    sequence: { shuffle: isRandomOrder, seed: SEED, sequencer: isRandomOrder ? BySeed : LargestFirst },
    setupFiles: [join(import.meta.dirname, 'setup.ts')],
    reporters: ['default', new FailureReporter()],
    // What the product logs while a passing test breaks it on purpose tells nothing.
    silent: 'passed-only',
    env: {
      CDK_VALIDATION: 'false',
      // Pictures are drawn with fonts of our own, not with those of the machine.
      FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf'),
      // Makes a synthesis that would fetch packages fail: tests need no network.
      npm_config_offline: 'true',
    },
    projects: [
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
      { extends: true, test: { name: 'together', include: ['test/**/*.test.ts'], exclude: alone, isolate: false } },
    ],
  },
});
