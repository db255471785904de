import { describe, expect, it } from 'vitest';
import { TimedStore, within } from '../../../../functions/conversions/billing/metering/timed-store.ts';
import { account, NOW, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { MemoryMeter } from '../../../support/runner/memory-meter.ts';

const over = new DOMException('over', 'TimeoutError');

describe('work within a time', () => {
  it('is not begun when the time is over', async () => {
    let begun = 0;
    const work = async () => {
      begun += 1;
    };
    await expect(within(AbortSignal.abort(over), work)).rejects.toBe(over);
    expect(begun).toBe(0);
  });

  it('ends with its own result or failure, and with the reason of the time only when that is over first', async () => {
    const { signal } = new AbortController();
    await expect(within(signal, async () => 7)).resolves.toBe(7);
    await expect(within(signal, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
    const controller = new AbortController();
    const hung = within(controller.signal, () => new Promise<never>(() => {}));
    controller.abort(over);
    await expect(hung).rejects.toBe(over);
  });
});

describe('the table of one request', () => {
  it('reports that nothing was written if it timed out before the write began', async () => {
    const memory = new MemoryMeter();
    memory.items.set('acme', account());
    const store = new TimedStore(memory, 50);
    const taking = { ...spendOf('acme'), item: account(), branch: 'idle', since: NOW, now: NOW } as const;
    await expect(store.take(taking, AbortSignal.abort(over))).rejects.toBe(over);
    expect([store.pending, memory.items.get('acme')?.arrival]).toEqual([undefined, 0]);
  });
});
