import { describe, expect, it } from 'vitest';
import { runFor, TIMED_OUT } from '../../../../functions/conversions/validate/schemas/bounded-run.ts';

/** Keeps the thread from running, as a busy machine does. */
const starve = (millis: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);

describe('a bounded run', () => {
  it('returns what the work returns, and throws what it throws', () => {
    expect(runFor(100, () => 7)).toBe(7);
    expect(() =>
      runFor(100, () => {
        throw new TypeError('of the work');
      }),
    ).toThrow('of the work');
  });

  it('ends work that uses up its processor time, even within a regular expression', () => {
    const text = `${'a'.repeat(40)}!`;
    expect(runFor(30, () => /^(?:a+)+$/.test(text))).toBe(TIMED_OUT);
  });

  it('does work again that was ended while it had no processor', () => {
    let runs = 0;
    const work = () => {
      runs += 1;
      if (runs <= 2) starve(1_000);
      return 'done';
    };
    expect(runFor(20, work)).toBe('done');
    expect(runs).toBe(3);
  });
});
