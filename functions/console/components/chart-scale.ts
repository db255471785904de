/** Values that are drawn on top of one another: those of a day, of an hour. */
export interface Bar {
  readonly values: readonly number[];
}

interface DrawnValue {
  readonly y: number;
  readonly height: number;
}

/** The position of a bar, in percent of the width, and its values, the first at the bottom. */
type DrawnBar<Given extends Bar> = Given & {
  readonly x: number;
  readonly width: number;
  readonly parts: readonly DrawnValue[];
};

export interface Tick {
  readonly value: number;
  readonly y: number;
}

interface BarScale<Given extends Bar> {
  readonly bars: readonly DrawnBar<Given>[];
  readonly ticks: readonly Tick[];
}

/** The position of the plot in the drawing, in pixels from its top. */
export interface Plot {
  readonly top: number;
  readonly bottom: number;
}

const TICKS_MAX = 4;
/** The share of its room that a bar fills. */
const BAR_SHARE = 0.76;

/** Returns a scale from zero to a round number that is not below the given one. */
export function valueScale(most: number, { top, bottom }: Plot) {
  const step = roundStep(Math.max(1, most) / TICKS_MAX);
  const end = Math.ceil(Math.max(1, most) / step) * step;
  const y = (value: number) => rounded(bottom - (value / end) * (bottom - top));
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return { y, ticks: ticks.map((value): Tick => ({ value, y: y(value) })) };
}

/** Returns bars on one scale. Negative values, which are corrections, have no height. */
export function barScale<Given extends Bar>(bars: readonly Given[], plot: Plot): BarScale<Given> {
  const { y, ticks } = valueScale(Math.max(0, ...bars.map(({ values }) => heightsOf(values).at(-1) ?? 0)), plot);
  const part = (from: number, to: number): DrawnValue => ({ y: y(to), height: rounded(y(from) - y(to)) });
  const room = 100 / Math.max(1, bars.length);
  const drawn = bars.map((bar, index) => {
    const heights = heightsOf(bar.values);
    return {
      ...bar,
      x: rounded((index + (1 - BAR_SHARE) / 2) * room),
      width: rounded(room * BAR_SHARE),
      parts: heights.map((height, at) => part(heights[at - 1] ?? 0, height)),
    };
  });
  return { bars: drawn, ticks };
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

export const rounded = (value: number) => Math.round(value * 100) / 100;

/** Returns whether a day is labelled below the plot: the first and the 15th of each month. */
export const isNamedDay = (date: string): boolean => /-(01|15)$/.test(date);
