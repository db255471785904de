import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isNoisy,
  type Load,
  loadAfterEnd,
  loadAfterStart,
  loadAt,
  noiseFloor,
} from '../../../../cdk/local/sqs/noise.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

const load = (inFlight: number, average = 0): Load => ({ inFlight, average, at: START });
const group = (inFlight: number, average = 0) => ({ load: load(inFlight, average), sentAt: START });

const holds = fc.array(
  fc.record({ from: fc.integer({ min: 0, max: 10 * MINUTE }), millis: fc.integer({ min: 0, max: 5 * MINUTE }) }),
  { maxLength: 20 },
);

/** The load after messages were held so, with each end noticed late or at once. */
function loadAfter(all: readonly { from: number; millis: number }[], now: number, noticedLate: boolean): Load {
  const changes = all.flatMap(({ from, millis }) => [
    { at: from, change: (before: Load) => loadAfterStart(before, 1, START + from) },
    {
      at: noticedLate ? now : from + millis,
      change: (before: Load, at: number) => loadAfterEnd(before, { endedAt: START + from + millis, now: at }),
    },
  ]);
  const inOrder = changes.sort((a, b) => a.at - b.at);
  return loadAt(
    inOrder.reduce((before, { at, change }) => change(before, START + at), load(0)),
    START + now,
  );
}

describe('a group is noisy', () => {
  test('with 30 messages in flight and more than a tenth of all, and with neither less', () => {
    expect(isNoisy(group(30), load(299), START)).toBe(true);
    expect(isNoisy(group(30), load(300), START)).toBe(false);
    expect(isNoisy(group(29), load(29), START)).toBe(false);
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(10_000), (own, others) => {
        expect(isNoisy(group(own), load(own + others), START)).toBe(own >= 30 && own * 9 > others);
      }),
    );
  });

  test('with more than one in flight on average and more than a tenth of the processing time, and with neither less', () => {
    expect(isNoisy(group(2, 1.01), load(10, 10), START)).toBe(true);
    expect(isNoisy(group(2, 1.01), load(10, 10.2), START)).toBe(false);
    expect(isNoisy(group(2, 1), load(2, 1), START)).toBe(false);
  });

  test('no longer when nothing has been sent to it for five minutes', () => {
    const silent = (millis: number) => ({ load: { ...load(40, 40), at: START + millis }, sentAt: START });
    const all = { ...load(40, 40), at: START };
    expect(isNoisy(silent(5 * MINUTE - 1), all, START + 5 * MINUTE - 1)).toBe(true);
    expect(isNoisy(silent(5 * MINUTE), all, START + 5 * MINUTE)).toBe(false);
  });

  test('by figures of the present, however old the last change of them is', () => {
    // Of two held for a minute: 2 - 2/e.
    expect(isNoisy(group(2, 0), load(2, 0), START)).toBe(false);
    expect(isNoisy(group(2, 0), load(2, 0), START + MINUTE)).toBe(true);
    expect(isNoisy(group(0, 2), load(1, 2), START)).toBe(true);
    expect(isNoisy(group(0, 2), load(1, 2), START + MINUTE)).toBe(false);
  });

  test('never when it is a single message, however long and often it was held', () => {
    const turns = fc.array(fc.record({ pause: fc.nat(MINUTE), millis: fc.nat(720 * MINUTE) }), { maxLength: 20 });
    fc.assert(
      fc.property(turns, (all) => {
        let own = load(0);
        let at = START;
        for (const { pause, millis } of all) {
          own = loadAfterStart(own, 1, at + pause);
          at += pause + millis;
          expect(isNoisy({ load: own, sentAt: at }, own, at)).toBe(false);
          own = loadAfterEnd(own, { endedAt: at, now: at });
        }
      }),
    );
  });

  test('only above the floor', () => {
    const anyLoad = fc.record({
      inFlight: fc.nat(500),
      average: fc.double({ min: 0, max: 500, noNaN: true }),
      at: fc.constant(START),
    });
    fc.assert(
      fc.property(anyLoad, anyLoad, fc.nat(5 * MINUTE), (own, all, later) => {
        fc.pre(isNoisy({ load: own, sentAt: START }, all, START + later));
        expect(Math.max(own.inFlight, own.average)).toBeGreaterThan(noiseFloor(all, START + later));
      }),
    );
  });
});

describe('the average in flight', () => {
  test('is the processing time, weighted by how long ago it was, also of ends that are noticed late', () => {
    const now = 15 * MINUTE;
    fc.assert(
      fc.property(holds, fc.boolean(), (all, noticedLate) => {
        const weight = (at: number) => Math.exp(-(now - at) / MINUTE);
        const expected = all.reduce((sum, { from, millis }) => sum + weight(from + millis) - weight(from), 0);
        const after = loadAfter(all, now, noticedLate);
        expect(after.inFlight).toBe(0);
        expect(after.average).toBeCloseTo(expected, 9);
      }),
    );
  });

  test('nears what is in flight as long as that does not change', () => {
    expect(loadAt(load(7, 0), START + MINUTE).average).toBeCloseTo(7 * (1 - 1 / Math.E), 9);
    expect(loadAt(load(7, 20), START + 30 * MINUTE).average).toBeCloseTo(7, 6);
  });

  test('is not changed by a clock that goes back', () => {
    expect(loadAt(load(7, 3), START - MINUTE).average).toBe(3);
  });
});
