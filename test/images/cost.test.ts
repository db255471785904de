import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, type FunctionName, validationCharges } from '../bench/images/images-charges.ts';
import { inDollars, measured, SCENARIOS, type Scenario, TARGET } from '../bench/images/images-cost.ts';
import { type ImagesCostDesk, openImagesCostDesk } from '../bench/images/images-cost-desk.ts';
import { few, isThorough } from '../support/runner/thoroughness.ts';

/** Seconds of a whole processor, above what the benches `examination` and `images-cost` measure: this machine may be busy. */
const CPU_SECONDS: Readonly<Record<FunctionName, number>> = {
  submit: 0.09,
  receive: 0.06,
  advance: 0.01,
  prepare: 0.02,
  examine: 4,
  decide: 0.09,
  'request review': 0.02,
  look: 0.02,
  review: 0.02,
  apply: 0.02,
  announce: 0.01,
};

/** What was counted, with a processor time that does not depend on this run. */
const steady = (calls: readonly Call[]) => calls.map((call) => ({ ...call, cpuSeconds: CPU_SECONDS[call.name] }));

interface Expected {
  readonly scenario: Scenario;
  readonly transitions: number;
  /** Of the table and its five indexes. */
  readonly writes: number;
  readonly dollars: number;
}

let desk: ImagesCostDesk;
beforeAll(async () => {
  desk = await openImagesCostDesk(CPU_SECONDS.examine);
});
afterAll(() => desk?.close());

describe('an image validation', () => {
  it.each<Expected>([
    { scenario: SCENARIOS.inline, transitions: 9, writes: 55, dollars: 0.00042 },
    { scenario: SCENARIOS.upload, transitions: 9, writes: 61, dollars: 0.00044 },
    { scenario: SCENARIOS.review, transitions: 10, writes: 87, dollars: 0.00048 },
    { scenario: SCENARIOS.duplicate, transitions: 5, writes: 19, dollars: 0.00018 },
    // Its 800 others take longer than all the rest. That no more are read is proven where they are looked up.
    ...(isThorough ? [{ scenario: SCENARIOS.crowded, transitions: 9, writes: 55, dollars: 0.0006 }] : []),
  ])('of $scenario.name costs at most $dollars dollars', async ({ scenario, transitions, writes, dollars }) => {
    const counted = await measured(desk, scenario, { records: 1, areTimed: false });
    const charges = validationCharges({ ...counted, calls: steady(counted.calls) });
    expect(counted.transitions).toBe(transitions);
    expect(charges.find(({ unit }) => unit === 'dynamoDbWriteUnit')?.units).toBe(writes);
    expect(inDollars(charges)).toBeLessThanOrEqual(Math.min(dollars, TARGET));
  });

  it.each(
    few(
      // Each image takes a transition more, and the same calls.
      [{ images: 3, transitions: 11, dollars: 0.00072 }],
      [{ images: 10, transitions: 18, dollars: 0.002 }],
    ),
  )('of $images images costs at most $dollars dollars', async ({ images, transitions, dollars }) => {
    const counted = await measured(desk, { ...SCENARIOS.ten, images }, { records: 1, areTimed: false });
    const charges = validationCharges({ ...counted, calls: steady(counted.calls) });
    expect(counted.transitions).toBe(transitions);
    expect(inDollars(charges)).toBeLessThanOrEqual(dollars);
  });
});
