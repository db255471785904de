/** A metric, its values in a period, and the statistics that can be requested. */

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** All values of a metric in some stretch of time, as far as statistics need them. */
export interface Samples {
  readonly sum: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

export const STATISTICS = ['Sum', 'Average', 'Minimum', 'Maximum', 'SampleCount'] as const;
export type Statistic = (typeof STATISTICS)[number];

export function samplesOf(value: number, count = 1): Samples {
  return { sum: value * count, count, min: value, max: value };
}

export function together(one: Samples, other: Samples): Samples {
  return {
    sum: one.sum + other.sum,
    count: one.count + other.count,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
  };
}

export function statisticOf(samples: Samples, statistic: Statistic): number {
  return FORMULAS[statistic](samples);
}

const FORMULAS: Readonly<Record<Statistic, (samples: Samples) => number>> = {
  Sum: ({ sum }) => sum,
  Average: ({ sum, count }) => sum / count,
  Minimum: ({ min }) => min,
  Maximum: ({ max }) => max,
  SampleCount: ({ count }) => count,
};
