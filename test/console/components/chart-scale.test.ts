import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barScale, isNamedDay } from '../../../functions/console/components/chart-scale.ts';
import { twoMonthsTo } from '../../../functions/console/usage/two-months.ts';

const PLOT = { top: 10, bottom: 110 };
const day = (...values: number[]) => ({ date: '2026-11-01', values });

describe('the chart of days', () => {
  it('puts each value on top of the ones before, on a scale that ends at a round number', () => {
    const { bars: days, ticks } = barScale([day(300, 70, 30), day(0, 0, 0)], PLOT);
    expect(ticks.map(({ value }) => value)).toEqual([0, 100, 200, 300, 400]);
    expect(days[0]?.parts).toEqual([
      { y: 35, height: 75 },
      { y: 17.5, height: 17.5 },
      { y: 10, height: 7.5 },
    ]);
    expect(days[1]?.parts[0]).toEqual({ y: 110, height: 0 });
    expect(days[0]).toMatchObject({ x: 6, width: 38 });
  });

  it('shows no bar for a value below zero, and whole numbers where there was hardly any use', () => {
    const { bars: days, ticks } = barScale([day(-5, 1)], PLOT);
    expect(days[0]).toMatchObject({ values: [-5, 1], parts: [{ height: 0 }, { height: 100 }] });
    expect(ticks.map(({ value }) => value)).toEqual([0, 1]);
    expect(barScale([], PLOT).bars).toEqual([]);
  });

  it('keeps every bar inside the plot and the drawing', () => {
    const count = integer({ min: -1_000, max: 1_000_000_000 });
    assert(
      property(array(tuple(count, count, count), { maxLength: 100 }), (all) => {
        const { bars: days, ticks } = barScale(
          all.map((values) => day(...values)),
          PLOT,
        );
        expect(ticks.length).toBeLessThanOrEqual(6);
        for (const { x, width, parts } of days) {
          expect(x + width).toBeLessThanOrEqual(100.01);
          for (const { y, height } of parts) {
            expect(y).toBeGreaterThanOrEqual(PLOT.top);
            expect(height).toBeGreaterThanOrEqual(0);
            expect(y + height).toBeLessThanOrEqual(PLOT.bottom + 0.01);
          }
        }
      }),
    );
  });

  it('names the first and the middle of each month', () => {
    expect(['2026-11-01', '2026-11-15', '2026-11-11'].map(isNamedDay)).toEqual([true, true, false]);
  });

  it('covers two months by UTC days', () => {
    expect(twoMonthsTo(Date.parse('2026-11-22T23:30:00-05:00'))).toEqual({ from: '2026-09-24', to: '2026-11-23' });
  });
});
