import { describe, expect, it } from 'vitest';
import { atOnce } from '../../shared/at-once.ts';

describe('work on several items', () => {
  it('runs on a limited number at a time, each once', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await atOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done.push(item);
    });
    expect([new Set(done), done.length, most]).toEqual([new Set([1, 2, 3, 4, 5, 6, 7]), 7, 3]);
  });

  it('ends with the first failure and aborts the others', async () => {
    const begun: number[] = [];
    let told: AbortSignal | undefined;
    const work = atOnce([1, 2, 3, 4], 2, async (item, signal) => {
      begun.push(item);
      told = signal;
      if (item === 1) throw new Error('full disk');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await expect(work).rejects.toThrow('full disk');
    expect([begun, told?.aborted]).toEqual([[1, 2], true]);
  });
});
