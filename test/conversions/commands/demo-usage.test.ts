import { describe, expect, it } from 'vitest';
import { demoUsage } from '../../../functions/conversions/commands/demo-usage.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('the demo usage', () => {
  it('is that of the 75 days before today, each once', () => {
    const days = demoUsage(NOW);
    expect([days[0]?.date, days.at(-1)?.date]).toEqual(['2026-09-07', '2026-11-20']);
    expect(new Set(days.map(({ date }) => date)).size).toBe(75);
  });

  it('is less at weekends, and something on every day', () => {
    const days = demoUsage(NOW);
    const live = (date: string) => days.find((day) => day.date === date)?.live ?? 0;
    expect(live('2026-11-14')).toBeLessThan(live('2026-11-13') / 3);
    expect(days.every(({ live: count }) => count > 0)).toBe(true);
  });
});
