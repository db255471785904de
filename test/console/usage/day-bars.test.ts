import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayChart, isNamedDay, twoMonthsTo } from '../../../functions/console/usage/day-bars.ts';

const PLOT = { top: 10, bottom: 110 };
const day = (live: number, test = 0, date = '2026-11-01') => ({ date, live, test });

describe('the chart of days', () => {
  it('puts test conversions on top of live ones, on a scale that ends at a round number', () => {
    const { bars, ticks } = dayChart([day(300, 100), day(0)], PLOT);
    expect(ticks.map(({ value }) => value)).toEqual([0, 100, 200, 300, 400]);
    expect(bars[0]).toMatchObject({ liveBar: { y: 35, height: 75 }, testBar: { y: 10, height: 25 } });
    expect(bars[1]).toMatchObject({ liveBar: { y: 110, height: 0 } });
    expect(bars[0]).toMatchObject({ x: 6, width: 38 });
  });

  it('shows no bar for a day below zero, and whole numbers where there was hardly any use', () => {
    const { bars, ticks } = dayChart([day(-5, 1)], PLOT);
    expect(bars[0]).toMatchObject({ live: -5, liveBar: { height: 0 }, testBar: { height: 100 } });
    expect(ticks.map(({ value }) => value)).toEqual([0, 1]);
    expect(dayChart([], PLOT).bars).toEqual([]);
  });

  it('keeps every bar inside the plot and the drawing', () => {
    const count = integer({ min: -1_000, max: 1_000_000_000 });
    assert(
      property(array(tuple(count, count), { maxLength: 100 }), (days) => {
        const { bars, ticks } = dayChart(
          days.map(([live, test]) => day(live, test)),
          PLOT,
        );
        expect(ticks.length).toBeLessThanOrEqual(6);
        for (const { x, width, liveBar, testBar } of bars) {
          expect(x + width).toBeLessThanOrEqual(100.01);
          expect(testBar.y).toBeGreaterThanOrEqual(PLOT.top);
          expect(Math.min(liveBar.height, testBar.height)).toBeGreaterThanOrEqual(0);
          expect(liveBar.y + liveBar.height).toBeLessThanOrEqual(PLOT.bottom + 0.01);
        }
      }),
    );
  });

  it('names the first and the middle of each month', () => {
    expect(['2026-11-01', '2026-11-15', '2026-11-11'].map((date) => isNamedDay({ date }))).toEqual([true, true, false]);
  });

  it('covers two months by UTC days', () => {
    expect(twoMonthsTo(Date.parse('2026-11-22T23:30:00-05:00'))).toEqual({ from: '2026-09-24', to: '2026-11-23' });
  });
});
