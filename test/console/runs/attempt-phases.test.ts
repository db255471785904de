import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phasesOf } from '../../../functions/console/runs/attempt-phases.ts';

const millis = fc.option(fc.nat(30_000), { nil: undefined });

describe('the phases of an attempt', () => {
  it('follow one another without a gap and fill all of its time', () => {
    const timings = fc.record({
      dnsMillis: millis,
      connectMillis: millis,
      tlsMillis: millis,
      firstByteMillis: millis,
      more: fc.nat(1_000),
    });
    fc.assert(
      fc.property(timings, ({ more, ...stated }) => {
        const sum = Object.values(stated).reduce<number>((all, one) => all + (one ?? 0), 0);
        const phases = phasesOf({ ...stated, totalMillis: sum + more });
        let end = 0;
        for (const { from, millis: length } of phases) {
          expect(from).toBe(end);
          expect(length).toBeGreaterThan(0);
          end = from + length;
        }
        expect(end).toBe(sum + more);
      }),
    );
  });

  it('end without a response in the phase that did not come to its end', () => {
    expect(phasesOf({ dnsMillis: 30, totalMillis: 70 })).toEqual([
      { name: 'dns', from: 0, millis: 30 },
      { name: 'connect', from: 30, millis: 40 },
    ]);
    expect(phasesOf({ dnsMillis: 1, connectMillis: 2, totalMillis: 20_003 })[2]).toEqual({
      name: 'wait',
      from: 3,
      millis: 20_000,
    });
    expect(phasesOf({ totalMillis: 9 })).toEqual([{ name: 'wait', from: 0, millis: 9 }]);
  });

  it('leave out what did not come about on a connection that was open', () => {
    expect(phasesOf({ firstByteMillis: 40, totalMillis: 50 })).toEqual([
      { name: 'wait', from: 0, millis: 40 },
      { name: 'rest', from: 40, millis: 10 },
    ]);
  });
});
