/** `require` in bundles: CommonJS packages inside load Node's own modules with it. */
import { createRequire } from 'node:module';

export const require = createRequire(import.meta.url);
