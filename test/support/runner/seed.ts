/** The seed of everything that tests leave to chance: TEST_SEED, or another one in each run. */
import { createHash, randomInt } from 'node:crypto';
import { seeded } from './virtual-time.ts';

// Workers of vitest and processes that tests start inherit it.
process.env['TEST_SEED'] ||= String(randomInt(2 ** 31));

export const SEED = Number(process.env['TEST_SEED']);
if (!Number.isInteger(SEED)) throw new Error('TEST_SEED must be an integer.');

let generator = seeded(SEED);
const random = () => generator();

/**
 * From here on `Math.random` gives the numbers of this name. Each name has its own, so what one test takes from chance
 * does not change what another one gets. The function stays the same one: modules may have stored it.
 */
export function seedMathRandom(name: string): void {
  generator = seeded(createHash('sha256').update(`${SEED} ${name}`).digest().readInt32BE());
  Math.random = random;
}
