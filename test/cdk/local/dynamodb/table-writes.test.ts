import { describe, expect, it } from 'vitest';
import { TableWrites } from '../../../../cdk/local/dynamodb/table-writes.ts';

/** The readers that have been woken so far, in order. */
function reading(writes: TableWrites, tables: readonly string[], signal = new AbortController().signal) {
  const woken: string[] = [];
  const all = tables.map(async (table) => {
    await writes.next(table, { since: writes.count(table), signal });
    woken.push(table);
  });
  return { woken, done: Promise.all(all) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('readers of streams', () => {
  it('read again as soon as their own table is written to', async () => {
    const writes = new TableWrites({ lookAgainMillis: 600_000 });
    const { woken, done } = reading(writes, ['a', 'b', 'a']);
    await turn();
    expect(woken).toEqual([]);
    writes.note(['a']);
    await turn();
    expect(woken).toEqual(['a', 'a']);
    writes.note(['b', 'a']);
    await done;
    expect(woken).toEqual(['a', 'a', 'b']);
  });

  it('miss no write between their read and their wait', async () => {
    const writes = new TableWrites({ lookAgainMillis: 600_000 });
    const since = writes.count('a');
    writes.note(['a']);
    await writes.next('a', { since, signal: new AbortController().signal });
  });

  it('read again after a time without writes, because another process may share the engine', async () => {
    await reading(new TableWrites({ lookAgainMillis: 1 }), ['idle']).done;
  });

  it('stop waiting when their source stops', async () => {
    const stopping = new AbortController();
    const { done } = reading(new TableWrites({ lookAgainMillis: 600_000 }), ['a'], stopping.signal);
    stopping.abort();
    await done;
    await reading(new TableWrites({ lookAgainMillis: 600_000 }), ['a'], stopping.signal).done;
  });
});
