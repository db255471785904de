/** The values of one UTC day, which are drawn on top of one another. */
export interface Day {
  readonly date: string;
  readonly values: readonly number[];
}

interface Bar {
  readonly y: number;
  readonly height: number;
}

interface DayBars extends Day {
  /** The position in percent of the width. */
  readonly x: number;
  readonly width: number;
  /** A bar of each value, the first at the bottom. */
  readonly bars: readonly Bar[];
}

interface DayScale {
  readonly days: readonly DayBars[];
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

/** Returns the bars of days on one scale from zero to a round number. Negative values, which are corrections, have no bar. */
export function dayBars(days: readonly Day[], { top, bottom }: Plot): DayScale {
  const most = Math.max(1, ...days.map(({ values }) => heightsOf(values).at(-1) ?? 0));
  const step = roundStep(most / TICKS_MAX);
  const end = Math.ceil(most / step) * step;
  const y = (value: number) => rounded(bottom - (value / end) * (bottom - top));
  const bar = (from: number, to: number): Bar => ({ y: y(to), height: rounded(y(from) - y(to)) });
  const room = 100 / Math.max(1, days.length);
  const drawn = days.map((day, index) => {
    const heights = heightsOf(day.values);
    return {
      ...day,
      x: rounded((index + (1 - BAR_SHARE) / 2) * room),
      width: rounded(room * BAR_SHARE),
      bars: heights.map((height, at) => bar(heights[at - 1] ?? 0, height)),
    };
  });
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return { days: drawn, ticks: ticks.map((value) => ({ value, y: y(value) })) };
}

/** The sums of the values up to each one. */
function heightsOf(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += Math.max(0, value)));
}

/** Returns 1, 2 or 5 times a power of ten, at least the given step, and whole. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Returns whether a day is labelled below the plot: the first and the 15th of each month. */
export const isNamedDay = ({ date }: Pick<Day, 'date'>): boolean => /-(01|15)$/.test(date);
