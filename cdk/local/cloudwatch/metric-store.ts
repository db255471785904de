/** The last hours of all metrics, in memory: one sum, count, minimum and maximum a minute. */
import { type Metric, mergedSamples, type Samples, samplesOf } from './metric.ts';

export const MINUTE_MILLIS = 60_000;
/** Older minutes are forgotten, and data that is older on its arrival is dropped. */
export const RETENTION_MINUTES = 360;
/** CloudWatch takes data from this far in the future. */
const AHEAD_MINUTES = 120;

interface Series {
  readonly metric: Metric;
  readonly unit: string;
  readonly minutes: Map<number, Samples>;
}

export interface Details {
  /** @default 'None'. The first unit of a metric is the one that is shown. */
  readonly unit?: string | undefined;
  /** The time of the value, in milliseconds. @default now */
  readonly at?: number | undefined;
}

export class MetricStore {
  private readonly now: () => Date;
  private readonly series = new Map<string, Series>();

  /** @param now the clock of the cloud. */
  constructor(now: () => Date) {
    this.now = now;
  }

  put(metric: Metric, value: number, details?: Details): void {
    this.add(metric, samplesOf(value), details);
  }

  add(metric: Metric, samples: Samples, { unit = 'None', at }: Details = {}): void {
    const minute = at === undefined ? this.currentMinute() : Math.floor(at / MINUTE_MILLIS);
    const retention = this.retention();
    if (minute * MINUTE_MILLIS < retention.from || minute * MINUTE_MILLIS >= retention.to) return;
    const { minutes } = this.seriesOf(metric, unit);
    const before = minutes.get(minute);
    minutes.set(minute, before ? mergedSamples(before, samples) : samples);
  }

  /**
   * Returns all values between two times in milliseconds, the second excluded. Both times are rounded down to whole
   * minutes.
   */
  samples(metric: Metric, from: number, to: number): Samples | undefined {
    const series = this.series.get(keyOf(metric));
    if (!series) return undefined;
    const first = Math.floor(Math.max(from, this.retention().from) / MINUTE_MILLIS);
    let total: Samples | undefined;
    for (let minute = first; minute < Math.floor(to / MINUTE_MILLIS); minute++) {
      const samples = series.minutes.get(minute);
      if (samples) total = total ? mergedSamples(total, samples) : samples;
    }
    return total;
  }

  unitOf(metric: Metric): string {
    return this.series.get(keyOf(metric))?.unit ?? 'None';
  }

  /** Returns all metrics that have data, always in the same order. */
  metrics(): Metric[] {
    const sorted = [...this.series].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([, { metric }]) => metric);
  }

  /** Returns the retention window in milliseconds; the end is excluded. Data outside it is dropped. */
  retention(): { readonly from: number; readonly to: number } {
    const current = this.currentMinute();
    return {
      from: (current - RETENTION_MINUTES + 1) * MINUTE_MILLIS,
      to: (current + AHEAD_MINUTES + 1) * MINUTE_MILLIS,
    };
  }

  /** Deletes data older than the retention window. */
  sweep(): void {
    const { from } = this.retention();
    for (const [key, { minutes }] of this.series) {
      for (const minute of minutes.keys()) if (minute * MINUTE_MILLIS < from) minutes.delete(minute);
      if (minutes.size === 0) this.series.delete(key);
    }
  }

  private seriesOf(metric: Metric, unit: string): Series {
    const key = keyOf(metric);
    const existing = this.series.get(key);
    if (existing) return existing;
    const series: Series = { metric, unit, minutes: new Map() };
    this.series.set(key, series);
    return series;
  }

  private currentMinute(): number {
    return Math.floor(this.now().getTime() / MINUTE_MILLIS);
  }
}

/** The order of dimensions means nothing. */
function keyOf({ namespace, name, dimensions }: Metric): string {
  const names = Object.keys(dimensions).sort();
  return JSON.stringify([namespace, name, ...names.flatMap((dimension) => [dimension, dimensions[dimension]])]);
}
