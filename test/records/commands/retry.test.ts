import { describe, expect, it } from 'vitest';
import { retried, retryAfterMillis, Temporary, waitMillis } from '../../../functions/records/commands/retry.ts';

const busy = new Temporary('busy');

describe('waiting', () => {
  it('doubles with every failure, differs between clients, and ends at a minute', () => {
    expect([1, 2, 3, 4].map((failures) => waitMillis(failures, busy, 0))).toEqual([500, 1_000, 2_000, 4_000]);
    expect(waitMillis(1, busy, 0.5)).toBe(750);
    expect(waitMillis(20, busy, 0)).toBe(60_000);
  });

  it('lasts as long as the service asks', () => {
    const headers = new Headers({ 'retry-after': '7' });
    expect(waitMillis(1, new Temporary('busy', { afterMillis: retryAfterMillis(headers) }), 0)).toBe(7_000);
    expect(retryAfterMillis(new Headers({ 'retry-after': 'Sat, 21 Nov 2026 07:28:00 GMT' }))).toBe(0);
    expect(retryAfterMillis(new Headers())).toBe(0);
  });
});

describe('work that fails', () => {
  const failing = (times: number, error: Error) => {
    const seen: number[] = [];
    const pauses: number[] = [];
    const work = async (failures: number) => {
      seen.push(failures);
      if (failures < times) throw error;
      return 'done';
    };
    return { seen, pauses, result: retried(work, async (millis) => pauses.push(millis)) };
  };

  it('that failed temporarily is repeated and receives how often it failed', async () => {
    const { result, seen, pauses } = failing(2, busy);
    expect(await result).toBe('done');
    expect([seen, pauses.length]).toEqual([[0, 1, 2], 2]);
  });

  it('that keeps failing fails in the end', async () => {
    const { result, seen } = failing(100, busy);
    await expect(result).rejects.toBe(busy);
    expect(seen).toHaveLength(6);
  });

  it('that failed for another reason is not repeated', async () => {
    const { result, seen } = failing(1, new Error('no'));
    await expect(result).rejects.toThrow('no');
    expect(seen).toEqual([0]);
  });
});
