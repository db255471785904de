import { describe, expect, it } from 'vitest';
import { cachedLookups } from '../../shared/cached-lookups.ts';

describe('cached lookups', () => {
  it('are not evicted by missing names, which have a cache of the same size', async () => {
    const reads: string[] = [];
    const look = cachedLookups<object>({ max: 3, millis: 100, unknownMillis: 100 });
    const find = (name: string) =>
      look(name, 0, async () => {
        reads.push(name);
        return name.startsWith('x') ? undefined : {};
      });
    for (const name of ['a', 'x1', 'x2', 'x3', 'x4', 'a', 'x4', 'x1']) await find(name);
    expect(reads).toEqual(['a', 'x1', 'x2', 'x3', 'x4', 'x1']);
  });
});
