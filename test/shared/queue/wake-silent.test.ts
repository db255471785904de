import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wakeSilent } from '../../../shared/queue/wake-silent.ts';

const SILENT = 90_000;
const NOW = 1_000_000_000;

interface Work {
  readonly name: string;
  readonly silentFor: number;
  readonly wakeUps: number;
  /** The step that throws, or after which another waker was first. */
  readonly fault?: 'find' | 'note' | 'send' | 'late' | 'ended';
}

async function wake(all: readonly Work[]) {
  const sent: string[] = [];
  const failing = (work: Work, step: Work['fault']) => {
    if (work.fault === step) throw new Error(`${step} of ${work.name} fails.`);
  };
  const result = await wakeSilent(
    (async function* () {
      yield* all;
    })(),
    {
      silentMillis: SILENT,
      now: NOW,
      find: async (work) => {
        failing(work, 'find');
        return work.fault === 'ended' ? undefined : work;
      },
      progressOf: ({ silentFor, wakeUps }) => ({
        progressedAt: NOW - silentFor - wakeUps * SILENT,
        wokenAt: wakeUps > 0 ? NOW - silentFor : 0,
        wakeUps,
      }),
      note: async (work) => {
        failing(work, 'note');
        return work.fault !== 'late';
      },
      send: async (work) => {
        failing(work, 'send');
        sent.push(work.name);
      },
    },
  ).catch((error: unknown) => error);
  return { sent, result };
}

describe('the waker', () => {
  it('wakes all that are silent, whichever others cannot be woken, and fails in the end', async () => {
    const fault = fc.constantFrom('find', 'note', 'send', 'late', 'ended', undefined);
    const silentFor = fc.constantFrom(0, SILENT - 1, SILENT, 40 * SILENT);
    const work = fc.record({ silentFor, wakeUps: fc.constant(0), fault });
    await fc.assert(
      fc.asyncProperty(fc.array(work, { maxLength: 8 }), async (jobs) => {
        const all = jobs.map(({ fault: own, ...one }, n) => ({ ...one, name: `${n}`, ...(own && { fault: own }) }));
        const silent = all.filter((one) => one.silentFor >= SILENT);
        const { sent, result } = await wake(all);
        expect(sent).toEqual(silent.filter((one) => one.fault === undefined).map(({ name }) => name));
        const broken = all.filter(
          (one) => one.fault === 'find' || (silent.includes(one) && /note|send/.test(one.fault ?? '')),
        );
        if (broken.length > 0)
          expect(result).toHaveProperty('errors', expect.objectContaining({ length: broken.length }));
        else expect(result).toBe(sent.length);
      }),
    );
  });

  it('waits twice as long after each waking without effect, five times at the most', async () => {
    const waits = async (wakeUps: number, silentFor: number) => (await wake([{ name: 'a', silentFor, wakeUps }])).sent;
    for (const [wakeUps, times] of [0, 1, 2, 3, 4, 5, 6, 20].map((n) => [n, 2 ** Math.min(n, 5)] as const)) {
      expect(await waits(wakeUps, times * SILENT - 1)).toEqual([]);
      expect(await waits(wakeUps, times * SILENT)).toEqual(['a']);
    }
  });
});
