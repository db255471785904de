import { describe, expect, it } from 'vitest';
import { TableWrites } from '../../../../cdk/local/dynamodb/table-writes.ts';

/** What has woken readers so far, in order. */
function reading(writes: TableWrites, names: readonly string[], signal = new AbortController().signal) {
  const woken: string[] = [];
  const all = names.map(async (name) => {
    await writes.next(signal);
    woken.push(name);
  });
  return { woken, done: Promise.all(all) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('readers of streams', () => {
  it('all look again as soon as something is written', async () => {
    const writes = new TableWrites();
    const { woken, done } = reading(writes, ['a', 'b']);
    await turn();
    expect(woken).toEqual([]);
    writes.note();
    await turn();
    expect(woken).toEqual(['a', 'b']);
    await done;
  });

  it('look again a little later while something was written lately, and at last without any write', async () => {
    const writes = new TableWrites();
    writes.note();
    const { woken, done } = reading(writes, ['soon']);
    // It comes by its own time: a stream may show a record moments after the write of it.
    writes.note();
    await turn();
    expect(woken).toEqual([]);
    await done;
    await reading(new TableWrites(), ['idle']).done;
  });

  it('stop waiting when their source stops', async () => {
    const stopping = new AbortController();
    const { done } = reading(new TableWrites(), ['a'], stopping.signal);
    stopping.abort();
    await done;
    await new TableWrites().next(stopping.signal);
  });
});
