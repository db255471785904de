import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Clock } from '../../../cdk/local/clock.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const still = () => new Clock(() => START);

describe('the clock', () => {
  it('begins work once its time has come, the earliest first, and of two for one time the older one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 30 }), fc.array(fc.nat(7), { maxLength: 10 }), (delays, moves) => {
        const clock = still();
        const begun: number[] = [];
        for (const [at, delay] of delays.entries()) clock.after(delay, () => begun.push(at));
        clock.runDue();
        for (const move of moves) clock.advance(move);
        const passed = moves.reduce((sum, move) => sum + move, 0);
        const due = [...delays.entries()].filter(([, delay]) => delay <= passed);
        expect(begun).toEqual(due.toSorted(([, a], [, b]) => a - b).map(([at]) => at));
        expect(clock.nextAt).toBe(
          due.length === delays.length ? undefined : START + Math.min(...delays.filter((delay) => delay > passed)),
        );
      }),
    );
  });

  it('does not begin work that was cancelled, also by work of the same time', () => {
    const clock = still();
    const begun: string[] = [];
    const cancel = clock.after(5, () => begun.push('second'));
    clock.at(START + 5, () => begun.push('third'));
    clock.after(4, () => {
      begun.push('first');
      cancel();
    });
    clock.advance(10);
    expect(begun).toEqual(['first', 'third']);
  });

  it('begins work in the same move that earlier work has put off to a time that is past too', () => {
    const clock = still();
    const begun: number[] = [];
    const every = () => {
      begun.push(clock.millis() - START);
      if (begun.length < 3) clock.at(START + begun.length * 10, every);
    };
    clock.at(START, every);
    clock.advance(20);
    expect(begun).toEqual([20, 20, 20]);
  });

  it('begins nothing when it is moved backwards', () => {
    const clock = still();
    let begun = 0;
    clock.after(10, () => (begun += 1));
    clock.advance(-5);
    clock.advance(10);
    expect(begun).toBe(0);
    clock.advance(5);
    expect(begun).toBe(1);
  });

  it('ends a pause by its time or by its signal, and forgets it then', async () => {
    const clock = still();
    const stop = new AbortController();
    const pauses = [clock.pause(10), clock.pause(1_000, stop.signal), clock.pause(1_000, AbortSignal.abort())];
    await pauses[2];
    clock.advance(10);
    await pauses[0];
    stop.abort();
    await pauses[1];
    expect(clock.nextAt).toBeUndefined();
  });

  it('keeps the time of the machine until a test moves or stops it', async () => {
    let machine = START;
    const clock = new Clock(() => machine);
    machine += 7;
    clock.advance(100);
    expect(clock.now()).toEqual(new Date(START + 107));
    const start = clock.stop();
    machine += 1_000;
    expect(clock.millis()).toBe(START + 107);
    clock.advance(1);
    expect(clock.millis()).toBe(START + 108);
    start();
    expect(clock.millis()).toBe(START + 108);
    machine += 5;
    expect(clock.millis()).toBe(START + 113);
  });

  it('wakes by itself when nobody moves it', async () => {
    await new Clock().pause(5);
  });
});
