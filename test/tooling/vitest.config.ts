import { defineConfig } from 'vitest/config';

/** The tests that `npm test` runs. Long proofs are `*.long.ts` and run by `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
    // The product's log lines of a passing test that provokes errors are noise.
    silent: 'passed-only',
    env: { CDK_VALIDATION: 'false' },
  },
});
