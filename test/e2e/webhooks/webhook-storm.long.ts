import { App } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { settingsOf } from '../../../cdk/settings.ts';
import { webhookStorm } from '../../support/webhooks/webhook-storm.ts';

const RUNS = Number(process.env['RUNS'] ?? 20_000);
const KILLS = Number(process.env['KILLS'] ?? RUNS / 50);

it(`${RUNS} runs all end, each as its endpoint saw it, whatever is killed`, { timeout: 3 * 3_600_000 }, async () => {
  const { faults, counts, heldUp, ...report } = await webhookStorm({
    runs: RUNS,
    tenants: 5,
    configurations: 40,
    kills: KILLS,
    seed: 20_261_121,
    minutesMax: 90,
  });
  process.stdout.write(
    `${JSON.stringify({ ...report, counts, faults: faults.length, heldUp: heldUp.length }, undefined, 2)}\n`,
  );
  // No bound for those held up: a reserved slot lapses when its worker dies, and when the queue is longer than 15 s.
  expect(faults.slice(0, 20)).toEqual([]);
  expect(counts['COMPLETED']).toBeGreaterThan(RUNS / 2);
});

// In `npm test`, `webhook-faults.test.ts` kills the functions of the running service one at a time.
it('300 runs all end, each as its endpoint saw it, also if one function in twelve is killed', async () => {
  const runs = 300;
  const { faults, counts, misfortunes } = await webhookStorm({
    runs,
    tenants: 2,
    configurations: 12,
    kills: runs / 12,
    seed: 20_261_121,
    isHurried: true,
    minutesMax: 5,
  });
  expect(faults).toEqual([]);
  expect((counts['COMPLETED'] ?? 0) + (counts['FAILED'] ?? 0)).toBeGreaterThanOrEqual(runs);
  expect(counts['COMPLETED']).toBeGreaterThan(runs / 2);
  // How many of them come before all runs have ended is up to the machine.
  expect(misfortunes).toBeGreaterThan(0);
});

const SLOTS = settingsOf(new App()).attemptsPerConfiguration;
const TEMPERS = ['refusing', 'hanging', 'slow', 'silent'] as const;
const EVENTS = 40;
/** Each event makes a run for the silent endpoint; a run that has a slot is no part of the backlog. */
const BACKLOG = EVENTS / 2 - SLOTS;

// In `npm test`, `test/webhooks/deliveries/parking.dynamodb.test.ts` and `parking-search.test.ts` show it without the service.
it('runs that wait for a silent endpoint are posted in the order in which they were due', async () => {
  const { faults, waited, heldUp } = await webhookStorm({
    runs: EVENTS * TEMPERS.length,
    tenants: 1,
    configurations: TEMPERS.length,
    tempers: TEMPERS,
    kills: 0,
    seed: 20_261_122,
    // Half of the runs are announced by then.
    backlog: BACKLOG,
    isHurried: true,
    minutesMax: 5,
  });
  expect(faults).toEqual([]);
  // A run that was parked with a later attempt has had its first POST; each of those held a slot before.
  expect(waited).toBeGreaterThanOrEqual(BACKLOG - SLOTS);
  expect(heldUp).toEqual([]);
});
