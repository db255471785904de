/** Set by `npm run test:long`, which runs tests that ask for it once more: `npm test` then tries some of many ways only. */
export const isThorough = process.env['TESTS'] === 'thorough';

/**
 * When a process may die at one of its calls. To die before a call leaves the same as to die after the one before it,
 * except where calls are made side by side.
 */
export const MOMENTS: readonly ('before' | 'after')[] = isThorough ? ['before', 'after'] : ['after'];

/** How often something that takes long is tried: so often in thorough tests, half of it otherwise. */
export const times = (thorough: number): number => (isThorough ? thorough : Math.ceil(thorough / 2));
