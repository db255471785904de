import { describe, expect, it } from 'vitest';
import { cached } from '../../../functions/edge/system/cached-load.ts';

/** Loads 1, 2, 3 and so on, when it is let. */
function counter() {
  let loads = 0;
  const waiting: ((outcome: 'loads' | 'fails') => void)[] = [];
  const load = cached(10_000, async () => {
    loads += 1;
    const own = loads;
    const outcome = await new Promise<'loads' | 'fails'>((resolve) => waiting.push(resolve));
    if (outcome === 'fails') throw new Error(`load ${own} failed`);
    return own;
  });
  return { load, end: (outcome: 'loads' | 'fails') => waiting.shift()?.(outcome), loads: () => loads };
}

describe('a cached value', () => {
  it('is loaded once for all calls within its lifetime, also concurrent ones, and again after it', async () => {
    const { load, end, loads } = counter();
    const both = [load(0), load(9_999)];
    end('loads');
    expect(await Promise.all(both)).toEqual([1, 1]);
    expect(await load(9_999)).toBe(1);
    const next = load(10_000);
    end('loads');
    expect([await next, loads()]).toEqual([2, 2]);
  });

  it('whose load failed rejects the waiting calls, and is loaded again for the next one', async () => {
    const { load, end } = counter();
    const both = Promise.allSettled([load(0), load(1)]);
    end('fails');
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = load(2);
    end('loads');
    expect(await next).toBe(2);
    expect(await load(3)).toBe(2);
  });

  it('whose load fails late does not remove a newer one', async () => {
    const { load, end, loads } = counter();
    const old = Promise.allSettled([load(0)]);
    const newer = load(20_000);
    end('fails');
    await old;
    end('loads');
    expect(await newer).toBe(2);
    expect([await load(20_001), loads()]).toEqual([2, 2]);
  });
});
