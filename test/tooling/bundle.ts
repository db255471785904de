/**
 * Before `npm test`: bundles the functions, which takes both processors half a minute where nothing is bundled yet. The
 * first tests would all do it at the same time.
 */
import { resolve } from 'node:path';
import { synthesized } from '../../cdk/local/synthesis.ts';

await synthesized(resolve(import.meta.dirname, '../..'));
