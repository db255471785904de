import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perMillion } from '../bench/costs/charges.ts';
import { type CostDesk, openCostDesk } from '../bench/places/cost-desk.ts';
import { announcementCharges, requestCharges, type Step } from '../bench/places/places-charges.ts';
import { measuredCheckIn, measuredListing, TARGETS } from '../bench/places/places-cost.ts';
import { CHECK_IN_ROUTE, LIST_ROUTE } from '../bench/places/places-instance.ts';
import { few, isThorough } from '../support/runner/thoroughness.ts';

const REQUESTS = isThorough ? 10 : 1;

/** Seconds of a whole processor, above what the bench `places-cost` measures: this machine may be busy. */
const CPU_SECONDS = { list: 0.016, 'check-in': 0.006, announce: 0.003 } as const;

/** What was counted, with a processor time that does not depend on this run. */
const counted = (step: Step): Step => ({ ...step, cpuSeconds: CPU_SECONDS[step.name] });

const calls = ({ entries, requests }: Step) => entries.reduce((sum, { calls: made = 1 }) => sum + made, 0) / requests;
const writes = ({ entries, requests }: Step) =>
  entries.reduce((sum, { writes: units = 0 }) => sum + units, 0) / requests;

let desk: CostDesk;
beforeAll(async () => {
  desk = await openCostDesk();
});
afterAll(() => desk?.close());

describe('a million listings of 20 of 1,000 places', () => {
  it.each(['cold', 'without the customer', 'warm'] as const)(
    'cost at most four dollars and a half with caches %s',
    async (caches) => {
      const { step } = await measuredListing(desk, caches, REQUESTS);
      expect(calls(step)).toBeGreaterThan(4);
      expect(writes(step)).toBe(1);
      expect(perMillion(requestCharges(counted(step), LIST_ROUTE))).toBeLessThanOrEqual(TARGETS.listing);
    },
  );
});

describe('a million check-ins', () => {
  it.each(few([1], [10]))('cost at most nine dollars and a half with %i announced at once', async (batch) => {
    const { checkIn, announce } = await measuredCheckIn(desk, {
      caches: 'without the customer',
      requests: Math.max(REQUESTS, batch),
      batch,
    });
    // App and ad units are read again every ten seconds.
    expect(calls(checkIn)).toBeGreaterThanOrEqual(3);
    expect(writes(checkIn)).toBe(8);
    expect(calls(announce)).toBe(1);
    const charges = [
      ...requestCharges(counted(checkIn), CHECK_IN_ROUTE),
      ...announcementCharges(counted(announce), batch),
    ];
    expect(perMillion(charges)).toBeLessThanOrEqual(TARGETS.checkIn);
  });
});
