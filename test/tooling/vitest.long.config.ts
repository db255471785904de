import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { embeddedFiles } from './embedded-files.ts';
import { FailureReporter } from './failure-reporter.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Tests of `npm test` that try more where they may. */
const THOROUGH = /support\/runner\/thoroughness\.ts'/;
const thorough = globSync('test/**/*.test.ts', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => THOROUGH.test(readFileSync(join(ROOT, file), 'utf8')));

/** The long proofs of `npm run test:long`: millions of records, hundreds of kills. One at a time, with time to spare. */
export default defineConfig({
  plugins: [embeddedFiles()],
  test: {
    include: ['test/**/*.long.ts', ...thorough],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    maxWorkers: 1,
    setupFiles: [join(import.meta.dirname, 'setup.ts')],
    reporters: ['default', new FailureReporter()],
    env: { CDK_VALIDATION: 'false', FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf'), TESTS: 'thorough' },
  },
});
