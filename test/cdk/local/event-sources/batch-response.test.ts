import { describe, expect, it } from 'vitest';
import { batchVerdict } from '../../../../cdk/local/event-sources/batch-response.ts';
import { bodyForFilter, recordFilter } from '../../../../cdk/local/event-sources/filter.ts';

const verdict = (answer: unknown) => batchVerdict(JSON.stringify(answer), ['a', 'b']);
const some = (...failed: string[]) => ({ kind: 'some', failed: new Set(failed) });

describe('the answer to a batch', () => {
  it.each([[null], [{}], [{ batchItemFailures: null }], [{ batchItemFailures: [] }], [{ other: 1 }]])(
    'means that all is done: %j',
    (answer) => {
      expect(verdict(answer)).toEqual(some());
    },
  );

  it('names the records that failed', () => {
    expect(verdict({ batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'b' }] })).toEqual(some('b'));
  });

  it.each([
    ['text'],
    [[1]],
    [{ batchItemFailures: 'b' }],
    [{ batchItemFailures: ['b'] }],
    [{ batchItemFailures: [{ itemIdentifier: '' }] }],
    [{ batchItemFailures: [{ itemIdentifier: null }] }],
    [{ batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'unknown' }] }],
  ])('that is malformed fails them all: %j', (answer) => {
    expect(verdict(answer)).toMatchObject({ kind: 'all-failed' });
  });
});

describe('a filter', () => {
  it('without patterns lets everything pass', () => {
    expect(recordFilter([])({ any: 1 })).toBe(true);
  });

  it('lets pass what one of its patterns fits', () => {
    const filter = recordFilter(['{"body":{"kind":["a"]}}', '{"body":{"kind":["b"]}}']);
    const passes = (body: string) => filter({ body: bodyForFilter(body) });
    expect(passes('{"kind":"b"}')).toBe(true);
    expect(passes('{"kind":"c"}')).toBe(false);
    expect(passes('no json')).toBe(false);
  });

  it('may look at a body of plain text', () => {
    expect(recordFilter(['{"body":["plain"]}'])({ body: bodyForFilter('plain') })).toBe(true);
  });
});
