import { describe, expect, it } from 'vitest';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { type Fault, type Scenario, search } from './parking-search.ts';

const TWO: Scenario = { runs: 2, limits: { all: 1, whileSilent: 1 }, workers: 2 };

/** One run whose worker is slow, or dies. */
const SLOW: Scenario = { ...TWO, runs: 1, crashes: 1, leaps: 1 };

describe('in every order of the calls of two workers, runs that wait for a slot', () => {
  it.each<[string, Scenario, number]>([
    ['all get one of two', { ...TWO, runs: 3, limits: { all: 2, whileSilent: 1 } }, 500],
    ['all get one when their index follows late', { ...TWO, hasLag: true }, 1_000],
    ['all get one from a worker that goes on with them, and may die', { ...TWO, goesOn: true, crashes: 1 }, 1_000],
    ['are posted once more only without a line, when workers are slow or die', SLOW, 500],
    [
      'all get one, in the order in which they were due: at once, or two sweeps later if a worker has died',
      { ...TWO, crashes: 1 },
      1_000,
    ],
  ])(
    '%s',
    async (_what, scenario, least) => {
      const findings = await search(scenario);
      expect(findings.violations).toEqual([]);
      expect(findings.states).toBeGreaterThan(least);
    },
    60_000,
  );
});

describe('the search notices', () => {
  /** A worker that has parked a run has nothing to do while others hold the slots. */
  const blind: Fault = ({ admission }) => ({
    admission: {
      ...admission,
      load: async () => ({ slots: new Map([[0, Number.MAX_SAFE_INTEGER]]), timeouts: 0, isSilent: false }),
    },
  });
  /** Whoever kept a slot and found no run for it does not look once more when it has returned it. */
  const hasty: Fault = ({ admission, parkedRuns }, world) => {
    let isReturned = false;
    return {
      admission: {
        ...admission,
        leave: (key, slot, left) => {
          isReturned = left.outcome === 'unused';
          return admission.leave(key, slot, left);
        },
      },
      parkedRuns: {
        ...parkedRuns,
        first: async (key, count) => {
          const findings = isReturned ? [] : await parkedRuns.first(key, count);
          isReturned = false;
          return findings;
        },
      },
      send: async (lane, ticket) => {
        world.messages.push({ lane, ticket });
      },
    };
  };
  /** The note comes after the run was parked, or never. */
  const unnoted: Fault = ({ admission }) => ({ admission: { ...admission, noteParking: async () => undefined } });
  /** A slot that was kept for a run is given to everybody who asks for it. */
  const generous: Fault = ({ admission }) => ({
    admission: {
      ...admission,
      enter: async (key, lease) => {
        const entered = await admission.enter(key, lease);
        if (entered.kind !== 'full') return entered;
        return { kind: 'entered', slot: { number: 9, until: lease.until }, load: entered.load };
      },
    },
  });
  /** A slot for which there was no run is not returned. */
  const stingy: Fault = ({ admission }, world) => ({
    admission: {
      ...admission,
      leave: async (key, slot, left) => (left.outcome === 'unused' ? world.load : admission.leave(key, slot, left)),
    },
  });
  /** Runs that come do not see those that wait. */
  const pushing: Fault = ({ admission }) => ({
    admission: {
      ...admission,
      enter: async (key, lease) => {
        const entered = await admission.enter(key, lease);
        if (entered.kind !== 'entered' || lease.reserved) return entered;
        const { parkedAt: _, ...load } = entered.load;
        return { ...entered, load };
      },
    },
  });
  /** The line of the lost attempt is not looked for. */
  const forgetful: Fault = ({ runs }) => ({
    runs: {
      ...runs,
      addInterrupted: async (key, line) => {
        await runs.addInterrupted(key, line);
        return undefined;
      },
    },
  });

  const HASTY: [string, Scenario, Fault, string] = [
    'a worker that does not look once more without its slot',
    { ...TWO, runs: 3 },
    hasty,
    'a parked run waits forever',
  ];

  it.each<[string, Scenario, Fault, string]>([
    ['a worker that does not look at the slots after it has parked a run', TWO, blind, 'a parked run waits forever'],
    // Seen only among three runs, by a search of some seconds.
    ...(isThorough ? [HASTY] : []),
    ['a run that is parked without a note', { ...TWO, crashes: 1 }, unnoted, 'a parked run waits forever'],
    ['more attempts than slots', TWO, generous, 'more POSTs at a time than slots'],
    ['a slot that is kept although no run wants it', TWO, stingy, 'a slot is left over'],
    ['a run that overtakes those that wait', { ...TWO, runs: 3 }, pushing, 'a parked run is overtaken'],
    [
      'an attempt that is made again although its line is there',
      SLOW,
      forgetful,
      'more outcomes count than there were attempts',
    ],
  ])(
    '%s',
    async (_what, scenario, fault, what) => {
      const { violations } = await search(scenario, fault, what);
      expect(violations.map((one) => one.what)).toContain(what);
    },
    60_000,
  );
});
