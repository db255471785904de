import type { UsedDay } from './usage-answers.ts';

interface Bar {
  readonly y: number;
  readonly height: number;
}

interface DayBar extends UsedDay {
  /** The position in percent of the width. */
  readonly x: number;
  readonly width: number;
  readonly liveBar: Bar;
  /** The bar on top of the live one. */
  readonly testBar: Bar;
}

export interface DayChart {
  readonly bars: readonly DayBar[];
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

/** The position of the plot in the drawing, in pixels from its top. */
export interface Plot {
  readonly top: number;
  readonly bottom: number;
}

const TICKS_MAX = 4;
/** The share of a day's width that its bar fills. */
const BAR_SHARE = 0.76;

/** Returns the bars of days on one scale from zero to a round number. Days with a negative correction have no bar. */
export function dayChart(days: readonly UsedDay[], { top, bottom }: Plot): DayChart {
  const most = Math.max(1, ...days.map(({ live, test }) => Math.max(0, live) + Math.max(0, test)));
  const step = roundStep(most / TICKS_MAX);
  const end = Math.ceil(most / step) * step;
  const y = (value: number) => rounded(bottom - (value / end) * (bottom - top));
  const bar = (from: number, to: number): Bar => ({ y: y(to), height: rounded(y(from) - y(to)) });
  const room = 100 / Math.max(1, days.length);
  const bars = days.map((day, index) => {
    const [live, test] = [Math.max(0, day.live), Math.max(0, day.test)];
    return {
      ...day,
      x: rounded((index + (1 - BAR_SHARE) / 2) * room),
      width: rounded(room * BAR_SHARE),
      liveBar: bar(0, live),
      testBar: bar(live, live + test),
    };
  });
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return { bars, ticks: ticks.map((value) => ({ value, y: y(value) })) };
}

/** Returns 1, 2 or 5 times a power of ten, at least the given step, and whole. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Returns whether a day is labelled below the plot: the first and the 15th of each month. */
export const isNamedDay = ({ date }: Pick<UsedDay, 'date'>): boolean => /-(01|15)$/.test(date);

/** Returns the last two months in UTC days. */
export function twoMonthsTo(now: number): { readonly from: string; readonly to: string } {
  const dateOf = (millis: number) => new Date(millis).toISOString().slice(0, 10);
  return { from: dateOf(now - 60 * 86_400_000), to: dateOf(now) };
}
