/** Who waits for a message never misses one, whatever happens between its look at the queue and its waiting. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import { Arrivals } from '../../../../cdk/local/sqs/arrivals.ts';

/** A queue as `Arrivals` knows it: when each message becomes visible. */
function queueOf(delays: readonly number[]) {
  const start = Date.parse('2026-03-01T00:00:00Z');
  const clock = new Clock(() => start);
  const visibleAt = delays.map((delay) => start + delay);
  const arrivals = new Arrivals({
    clock,
    nextVisibleAt: (_name, after) => {
      const later = visibleAt.filter((at) => at > after);
      return later.length === 0 ? undefined : Math.min(...later);
    },
  });
  return { clock, visibleAt, arrivals };
}

const never = new AbortController().signal;

describe('waiting for a message', () => {
  it('ends if one became visible between the look and the waiting', async () => {
    const { clock, arrivals } = queueOf([50]);
    const since = arrivals.since('queue');
    clock.advance(50);
    const waiting = arrivals.next('queue', { since, signal: never });
    clock.runDue();
    await waiting;
  });

  it('ends if another message changes just when one becomes visible', async () => {
    let millis = 0;
    const clock = new Clock(() => millis);
    const arrivals = new Arrivals({ clock, nextVisibleAt: (_name, after) => (after < 50 ? 50 : undefined) });
    const waiting = arrivals.next('queue', { since: arrivals.since('queue'), signal: never });
    // The time has come, and the timer of the machine has not yet.
    millis = 50;
    arrivals.changed('queue');
    clock.runDue();
    await waiting;
  });

  it('ends if a message became visible that the receive before it could not see', async () => {
    const delays = fc.array(fc.nat(20), { maxLength: 5 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('advance' as const), by: fc.nat(8) }),
      fc.record({ kind: fc.constant('hide' as const), message: fc.nat(4), until: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ kind: fc.constant('look' as const) }),
      fc.record({ kind: fc.constant('wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(delays, fc.array(step, { maxLength: 20 }), async (times, steps) => {
        const { clock, visibleAt, arrivals } = queueOf(times);
        const waits: { readonly since: number; isOver: boolean }[] = [];
        let since = arrivals.since('queue');
        for (const taken of steps) {
          if (taken.kind === 'advance') clock.advance(taken.by);
          else if (taken.kind === 'look') since = arrivals.since('queue');
          else if (taken.kind === 'hide' && taken.message < visibleAt.length) {
            visibleAt[taken.message] = clock.millis() + taken.until;
            arrivals.changed('queue');
          } else if (taken.kind === 'wait') {
            const wait = { since: since.millis, isOver: false };
            waits.push(wait);
            void arrivals.next('queue', { since, signal: never }).then(() => (wait.isOver = true));
          }
          clock.runDue();
          await Promise.resolve();
          for (const wait of waits.filter(({ isOver }) => !isOver)) {
            expect(visibleAt.filter((at) => at > wait.since && at <= clock.millis())).toEqual([]);
          }
        }
      }),
    );
  });
});
