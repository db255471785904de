import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LastUses } from '../../../../functions/conversions/billing/metering/last-uses.ts';

const HOUR_MILLIS = 3_600_000;
const START = Date.parse('2026-11-22T10:20:00.000Z');

/** One function whose time a test moves. */
function functionAt(start: number) {
  let now = start;
  let isDown = false;
  const writes: (readonly [id: string, at: string])[] = [];
  const uses = new LastUses(
    async (id, { at }) => {
      writes.push([id, at]);
      if (isDown) throw new Error('the table is down');
    },
    () => now,
  );
  return {
    writes,
    note: (credentialId: string) => uses.note({ credentialId }),
    moveTo: (millis: number) => void (now = millis),
    breakDown: () => void (isDown = true),
  };
}

describe('the last use of a credential', () => {
  it('is written by the first request of an hour, and by none of those that follow or run beside it', async () => {
    const { note, moveTo, writes } = functionAt(START);
    await Promise.all([note('a'), note('a'), note('b')]);
    moveTo(Date.parse('2026-11-22T10:59:59.999Z'));
    await note('a');
    moveTo(Date.parse('2026-11-22T11:00:00.000Z'));
    await note('a');
    expect(writes).toEqual([
      ['a', '2026-11-22T10:20:00.000Z'],
      ['b', '2026-11-22T10:20:00.000Z'],
      ['a', '2026-11-22T11:00:00.000Z'],
    ]);
  });

  it('fails no request while it cannot be written, and is tried again in the next hour', async () => {
    const { note, moveTo, breakDown, writes } = functionAt(START);
    breakDown();
    await expect(note('a')).resolves.toBeUndefined();
    await note('a');
    expect(writes).toHaveLength(1);
    moveTo(START + HOUR_MILLIS);
    await note('a');
    expect(writes).toHaveLength(2);
  });

  it('costs as many writes as there are hours with a use, whatever the traffic', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2 * HOUR_MILLIS), { maxLength: 60 }), async (pauses) => {
        const { note, moveTo, writes } = functionAt(START);
        const hours = new Set<number>();
        let now = START;
        for (const pause of pauses) {
          now += pause;
          moveTo(now);
          hours.add(Math.floor(now / HOUR_MILLIS));
          await note('a');
        }
        expect(writes).toHaveLength(hours.size);
      }),
    );
  });
});
