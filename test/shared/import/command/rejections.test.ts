import { describe, expect, it } from 'vitest';
import { LINES_PER_REASON, RejectionSummary } from '../../../../shared/import/command/rejections.ts';

describe('rejected lines', () => {
  it('are all shown when no reason comes often', () => {
    const view = new RejectionSummary();
    const rejections = Array.from({ length: 100 }, (_, i) => ({ line: i, reason: `reason ${i % 5}` }));
    expect(rejections.map((one) => view.add(one))).toEqual(rejections.map((one) => `line ${one.line}: ${one.reason}`));
    expect(view.rest()).toEqual([]);
  });

  it('of one reason are counted from the twenty-first on, and others are still shown', () => {
    const view = new RejectionSummary();
    const often = Array.from({ length: 1_000 }, (_, i) => view.add({ line: i + 1, reason: 'often' }));
    expect(often.filter((text) => text !== undefined)).toHaveLength(LINES_PER_REASON);
    expect(often[LINES_PER_REASON - 1]).toBe('line 20: often');
    expect(view.add({ line: 1_001, reason: 'rare' })).toBe('line 1001: rare');
    for (let line = 0; line <= LINES_PER_REASON; line += 1) view.add({ line, reason: 'once too often' });
    expect(view.rest()).toEqual(['980 more lines: often', '1 more line: once too often']);
  });
});
