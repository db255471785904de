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
  /** The number of values in each bucket; absent for metrics without percentiles. */
  readonly buckets?: Buckets;
}

type Buckets = ReadonlyMap<number, number>;

export const STATISTICS = ['Sum', 'Average', 'Minimum', 'Maximum', 'SampleCount'] as const;
/** The statistics that metric queries may name. */
export const STATS = [...STATISTICS, 'p99'] as const;
export type Statistic = (typeof STATS)[number];

export function samplesOf(value: number): Samples {
  return { sum: value, count: 1, min: value, max: value };
}

/** A value of a metric that has percentiles. */
export const spreadOf = (value: number): Samples => ({ ...samplesOf(value), buckets: new Map([[bucketOf(value), 1]]) });

export function mergedSamples(one: Samples, other: Samples): Samples {
  return {
    sum: one.sum + other.sum,
    count: one.count + other.count,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
    ...(one.buckets && other.buckets && { buckets: mergedBuckets(one.buckets, other.buckets) }),
  };
}

/** A bucket is one percent wide. Values of zero and less share one. */
const BUCKET = Math.log(1.01);
const bucketOf = (value: number) => (value > 0 ? Math.round(Math.log(value) / BUCKET) : Number.NEGATIVE_INFINITY);

function mergedBuckets(one: Buckets, other: Buckets): Buckets {
  const all = new Map(one);
  for (const [bucket, count] of other) all.set(bucket, (all.get(bucket) ?? 0) + count);
  return all;
}

/** The value that this share of all values does not exceed, to one percent. */
function percentile({ buckets, count, min, max }: Samples, share: number): number {
  if (!buckets) throw new Error('The local cloud has percentiles of the latency of an API alone.');
  let seen = 0;
  for (const [bucket, values] of [...buckets].sort(([a], [b]) => a - b)) {
    seen += values;
    if (seen >= share * count) return Math.min(max, Math.max(min, Math.exp(bucket * BUCKET)));
  }
  return max;
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
  p99: (samples) => percentile(samples, 0.99),
};
