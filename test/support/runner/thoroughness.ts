import { Mortality } from '../faults/mortal-clients.ts';

/** Set by `npm run test:long`, which runs tests that ask for it once more: `npm test` then tries some of many ways only. */
export const isThorough = process.env['TESTS'] === 'thorough';

/**
 * When a process may die at one of its calls. To die before a call leaves the same as to die after the one before it,
 * except where calls are made side by side.
 */
export const MOMENTS: readonly ('before' | 'after')[] = isThorough ? ['before', 'after'] : ['after'];

/** How often something that takes long is tried: so often in thorough tests, half of it otherwise. */
export const times = (thorough: number): number => (isThorough ? thorough : Math.ceil(thorough / 2));

/** Some of many ways, and when tests are thorough the others too. */
export const few = <Way>(always: readonly Way[], others: readonly Way[]): readonly Way[] =>
  isThorough ? [...always, ...others] : always;

/**
 * A process that dies at one call after the other, from the first of them on until it lives: run it anew with each. In
 * `npm test` it dies after those that do not only read: to die after one that does leaves the same as the death before.
 * @param step where calls are alike, such as writes of one item after the other: `npm test` has every so many of them
 */
export function* deaths(from = 1, step = 1): Generator<Mortality> {
  for (const when of MOMENTS) {
    for (let call: number | undefined = from; call !== undefined; ) {
      const mortality: Mortality = new Mortality(call, when, { survivesReads: !isThorough });
      yield mortality;
      call = mortality.diedAt && mortality.diedAt + (isThorough ? 1 : step);
      if (call && call > CALLS_MAX) throw new Error(`It made ${call} calls.`);
    }
  }
}

const CALLS_MAX = 200;
