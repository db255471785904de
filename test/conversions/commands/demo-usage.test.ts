import { describe, expect, it } from 'vitest';
import { demoUsage } from '../../../functions/conversions/commands/demo-usage.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('the demo usage', () => {
  it('is that of the sixty days before today, each once', () => {
    const days = demoUsage(NOW);
    expect([days[0]?.date, days.at(-1)?.date]).toEqual(['2026-09-22', '2026-11-20']);
    expect(new Set(days.map(({ date }) => date)).size).toBe(60);
  });

  it('is what the demo account may have used: within the pool of its test keys, and less at weekends', () => {
    const days = demoUsage(NOW);
    expect(days.reduce((sum, { test }) => sum + test, 0)).toBeLessThanOrEqual(250);
    const live = (date: string) => days.find((day) => day.date === date)?.live ?? 0;
    expect(live('2026-11-14')).toBeLessThan(live('2026-11-13') / 3);
    expect(days.every(({ live: count }) => count > 0)).toBe(true);
  });
});
