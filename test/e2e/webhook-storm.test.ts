import { App } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { settingsOf } from '../../cdk/settings.ts';
import { times } from '../support/thoroughness.ts';
import { webhookStorm } from '../support/webhook-storm.ts';

const RUNS = times(300);

it(`${RUNS} runs all end, each as its endpoint saw it, whatever is killed`, { timeout: 420_000 }, async () => {
  const { faults, counts, misfortunes, runs } = await webhookStorm({
    runs: RUNS,
    tenants: 2,
    configurations: 12,
    kills: RUNS / 12,
    seed: 20_261_121,
    isHurried: true,
    minutesMax: 5,
  });
  expect(faults).toEqual([]);
  expect((counts['COMPLETED'] ?? 0) + (counts['FAILED'] ?? 0)).toBeGreaterThanOrEqual(runs);
  expect(counts['COMPLETED']).toBeGreaterThan(runs / 2);
  expect(misfortunes).toBeGreaterThan(0);
});

const SLOTS = settingsOf(new App()).attemptsPerConfiguration;
const BACKLOG = times(160) / 8 - SLOTS;

it('runs that wait for a silent endpoint are posted in the order in which they were due', {
  timeout: 420_000,
}, async () => {
  const { faults, waited, heldUp } = await webhookStorm({
    runs: times(160),
    tenants: 1,
    configurations: 4,
    kills: 0,
    seed: 20_261_122,
    // One of four configurations is silent, and half of its runs are announced by then, of which one is a probe.
    backlog: BACKLOG,
    isHurried: true,
    minutesMax: 5,
  });
  expect(faults).toEqual([]);
  // A run that was parked with a later attempt has had its first POST; each of those held a slot before.
  expect(waited).toBeGreaterThanOrEqual(BACKLOG - SLOTS);
  expect(heldUp).toEqual([]);
});
