import { defineConfig } from 'vitest/config';

/** The tests that `npm test` runs. Long proofs are `*.long.ts` and run by `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
    env: { CDK_VALIDATION: 'false' },
  },
});
