/** The search of `parking-search.test.ts` with wider bounds: some hundred thousand states. */
import { expect, it } from 'vitest';
import { type Scenario, search } from './parking-search.ts';

const ONE = { all: 1, whileSilent: 1 };

it.each<Scenario>([
  { runs: 3, limits: ONE, workers: 2 },
  { runs: 3, limits: ONE, workers: 2, goesOn: true },
  { runs: 2, limits: ONE, workers: 2, leaps: 1 },
  { runs: 2, limits: ONE, workers: 2, crashes: 2 },
  { runs: 2, limits: ONE, workers: 2, isSilent: true, maxAttempts: 2 },
  { runs: 3, limits: { all: 2, whileSilent: 1 }, workers: 2, isSilent: true },
])(
  'runs that wait for a slot all get one in every order of calls: %o',
  async (scenario) => {
    const findings = await search(scenario);
    process.stdout.write(`${findings.states} states, ${findings.ends} ends\n`);
    expect(findings.violations).toEqual([]);
  },
  3_600_000,
);
