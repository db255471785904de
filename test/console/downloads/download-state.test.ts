import { describe, expect, it } from 'vitest';
import { filePage, isOver, isPastExpiry } from '../../../functions/console/downloads/download-state.ts';

const files = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({
    number: from + index,
    records: 10_000,
    expiresAt: '2026-11-30T00:00:00.000Z',
  }));

describe('the files of a download', () => {
  it('are shown fifty at a time, each page going on after the last file of the one before', () => {
    const first = filePage({ files: files(120) });
    expect([first.files.length, first.nextAfter]).toEqual([50, 50]);
    const last = filePage({ files: files(20, 101) });
    expect([last.files.length, last.nextAfter]).toEqual([20, undefined]);
    expect(filePage({ files: files(50) }).nextAfter).toBeUndefined();
  });

  it('go on where the answer of the API was full', () => {
    expect(filePage({ files: files(50, 951), moreFilesAfter: 1_000 }).nextAfter).toBe(1_000);
    expect(filePage({ files: files(1_000), moreFilesAfter: 1_000 }).nextAfter).toBe(50);
  });

  it('are gone seven days after the last one', () => {
    const progressedAt = '2026-11-01T00:00:00.000Z';
    expect(isPastExpiry({ progressedAt }, Date.parse('2026-11-07T23:59:59.999Z'))).toBe(false);
    expect(isPastExpiry({ progressedAt }, Date.parse('2026-11-08T00:00:00.000Z'))).toBe(true);
  });
});

it('a download of any state but the first one is over', () => {
  expect(['STARTED', 'COMPLETED', 'LATER'].map((status) => isOver({ status }))).toEqual([false, true, true]);
});
