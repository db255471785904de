import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  numRequestedOf,
  orderOf,
  presentRequest,
  requestIdIn,
} from '../../../functions/records/download/download-request.ts';
import {
  fileKeyOf,
  filesOf,
  MAX_FILES,
  matchesOf,
  resultIdOf,
} from '../../../functions/records/download/result-file.ts';
import { downloadRequest } from '../../support/records/download-requests.ts';

const REQUEST = downloadRequest();

describe('a request id', () => {
  it('and its result ids are whole numbers that JavaScript holds, while it fits into 32 bits', () => {
    expect(Number.isSafeInteger(resultIdOf(2 ** 32, MAX_FILES))).toBe(true);
  });

  it('comes after those from before ids were counted, which were hundredths of seconds', () => {
    const ids = [9_117_705_982, 9_117_705_983, 1, 2, 11, 2 ** 31];
    expect(ids.toReversed().toSorted((a, b) => orderOf({ id: a }) - orderOf({ id: b }))).toEqual(ids);
    expect(ids.every((id) => Number.isSafeInteger(orderOf({ id })))).toBe(true);
  });

  it('gives no two files of any two requests the same result id', () => {
    const id = fc.nat({ max: 2 ** 37 });
    const file = fc.integer({ min: 1, max: MAX_FILES });
    fc.assert(
      fc.property(id, file, id, file, (one, itsFile, other, othersFile) => {
        expect(resultIdOf(one, itsFile) === resultIdOf(other, othersFile)).toBe(
          one === other && itsFile === othersFile,
        );
      }),
    );
  });

  it('is read from digits only', () => {
    expect([requestIdIn('9117705982'), requestIdIn('0')]).toEqual([9_117_705_982, 0]);
    for (const text of ['', '-1', '1e3', ' 1', '1.0', '9'.repeat(13)]) expect(requestIdIn(text)).toBeUndefined();
  });
});

describe('the files of a request', () => {
  it('hold all its matches in order, 10,000 in each but the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (numRequested) => {
        const ranges = Array.from({ length: filesOf({ numRequested }) }, (_, i) => matchesOf({ numRequested }, i + 1));
        expect(ranges[0]?.from).toBe(0);
        expect(ranges.at(-1)?.to).toBe(numRequested);
        for (const [i, { from, to }] of ranges.entries()) {
          expect(to - from).toBe(i < ranges.length - 1 ? 10_000 : numRequested - i * 10_000);
          expect(from).toBe(i * 10_000);
        }
      }),
    );
  });

  it('are in a folder that does not reveal the token', () => {
    expect(fileKeyOf(REQUEST, 2)).toBe('acme/tok_x/9117705982_2.csv');
  });
});

describe('the number of records delivered', () => {
  it('is all that match, or as many as requested', () => {
    expect([numRequestedOf('', 7), numRequestedOf('3', 7), numRequestedOf(' 9 ', 7)]).toEqual([7, 3, 7]);
  });

  it('is never none, nor more than file numbers reach', () => {
    for (const [records, numFound] of [
      ['', 0],
      ['0', 5],
      ['3', 0],
    ] as const) {
      expect(() => numRequestedOf(records, numFound)).toThrow('numRequested cannot be <= 0');
    }
    expect(() => numRequestedOf('', 655_350_001)).toThrow('numRequested cannot be > 655350000');
  });
});

describe('a request as it is shown', () => {
  it('has the time it started as its end while it runs', () => {
    const view = presentRequest(REQUEST, 'secret');
    expect(view).toMatchObject({ accountId: 'secret', async: 1, date_started: '2026-3-4 05:06:07' });
    expect(view.date_completed).toBe(view.date_started);
    const ended = presentRequest({ ...REQUEST, completedAt: '2026-12-14T15:16:17.000Z' }, 'secret');
    expect(ended.date_completed).toBe('2026-12-14 15:16:17');
  });
});
