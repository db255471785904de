import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The long proofs of `npm run test:long`: millions of records, hundreds of kills. One at a time, with time to spare. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    maxWorkers: 1,
    env: { CDK_VALIDATION: 'false', FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf') },
  },
});
