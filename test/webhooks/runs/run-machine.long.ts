/** The search of `run-machine.test.ts` with wider bounds: some million states. */
import { expect, it } from 'vitest';
import { type Bounds, search } from './run-search.ts';

const WIDE: Bounds = { maxAttempts: 2, retryIntervalSeconds: 60, workers: 2, crashes: 1, duplicates: 1, losses: 1 };

it.each<Bounds>([
  WIDE,
  { ...WIDE, duplicates: 0, losses: 0, crashes: 2 },
  { ...WIDE, workers: 1, maxAttempts: 3, crashes: 2 },
  { ...WIDE, duplicates: 0, losses: 0, parkings: 2 },
  { ...WIDE, workers: 1, parkings: 2 },
  { ...WIDE, duplicates: 0, retries: 1 },
])(
  'a run ends well in every order of steps: %o',
  (bounds) => {
    const findings = search(bounds);
    process.stdout.write(`${findings.states} states, at most ${findings.mostPosts} POSTs\n`);
    expect(findings.violations).toEqual([]);
    expect(findings.stuck).toEqual([]);
  },
  600_000,
);
