/** CloudWatch's embedded metric format: a log line of JSON that says which of its own members are metrics. */
import { z } from 'zod';
import { type Metric, mergedSamples, type Samples, samplesOf } from './metric.ts';

export interface EmbeddedDatum {
  readonly metric: Metric;
  readonly samples: Samples;
  readonly unit: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const METRICS_MAX = 100;
const VALUES_MAX = 100;
const DIMENSIONS_MAX = 30;

const Directive = z.object({
  Namespace: z.string().min(1),
  Dimensions: z.array(z.array(z.string()).max(DIMENSIONS_MAX)).default([]),
  Metrics: z.array(z.object({ Name: z.string().min(1), Unit: z.string().optional() })).max(METRICS_MAX),
});

const Metadata = z.object({ Timestamp: z.number(), CloudWatchMetrics: z.array(Directive) });

const Value = z.union([z.number().transform((value) => [value]), z.array(z.number()).max(VALUES_MAX)]);

/**
 * Returns the data of a log line. Like CloudWatch, it treats a malformed line as a plain log line without data, and
 * skips a metric or dimension set that names a member missing from the line.
 */
export function embeddedMetrics(line: Readonly<Record<string, unknown>>): EmbeddedDatum[] {
  if (line['_aws'] === undefined) return [];
  const metadata = Metadata.safeParse(line['_aws']);
  if (!metadata.success) return [];
  const { Timestamp: at, CloudWatchMetrics } = metadata.data;
  return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) => {
    const sets = (Dimensions.length === 0 ? [[]] : Dimensions).map((names) => dimensionsOf(line, names));
    return Metrics.flatMap(({ Name: name, Unit: unit }) => {
      const samples = samplesIn(line, name);
      if (!samples) return [];
      return sets.flatMap((dimensions) =>
        dimensions ? [{ metric: { namespace, name, dimensions }, samples, unit, at }] : [],
      );
    });
  });
}

function dimensionsOf(
  line: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> | undefined {
  const pairs: [string, string][] = [];
  for (const name of names) {
    const value = Object.hasOwn(line, name) ? line[name] : undefined;
    if (typeof value !== 'string' || value === '') return undefined;
    pairs.push([name, value]);
  }
  return Object.fromEntries(pairs);
}

function samplesIn(line: Readonly<Record<string, unknown>>, name: string): Samples | undefined {
  const values = Value.safeParse(Object.hasOwn(line, name) ? line[name] : undefined).data ?? [];
  return values
    .map((value) => samplesOf(value))
    .reduce<Samples | undefined>((all, one) => (all ? mergedSamples(all, one) : one), undefined);
}
