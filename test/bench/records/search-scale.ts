import { SCALE_FIGURES } from './scale-figures.ts';
import { limitsOf, type MeasuredIndex, monthOf, openSearchMonth, type Prediction, ScaleModel } from './scale-model.ts';
import { QUERY_CLASSES } from './search-queries.ts';

/** Sizes that nobody has built here. */
const SIZES = [10_000_000, 100_000_000, 1_000_000_000] as const;

/**
 * What the model of `scale-model.ts` says of indexes that were measured and did not calibrate it, and of larger ones:
 * reads, bytes and latency of cold queries, dollars a month, and how near the limits are.
 */
export async function benchScale(): Promise<void> {
  const { checks, ...measured } = SCALE_FIGURES;
  const model = new ScaleModel(measured);
  for (const check of checks) printCheck(model.predict(check.records, check.segments), check);
  console.log('Larger indexes, cold queries on average; dollars a month without the API and what accounts cost');
  console.table(
    Object.fromEntries(SIZES.map((records) => [records.toLocaleString('en'), row(model.predict(records), records)])),
  );
}

function printCheck(predicted: Prediction, check: MeasuredIndex): void {
  console.log(`\nThe model beside ${check.records.toLocaleString('en')} records in segments: ${check.segments}`);
  console.table(
    Object.fromEntries([
      ['MB', { measured: check.megabytes, model: Math.round(predicted.gigabytes * 1000) }],
      ['KB of metas', { measured: check.metaKilobytes, model: Math.round(predicted.metaKilobytes) }],
      ...QUERY_CLASSES.flatMap((name) => [
        [`${name}: reads`, { measured: check.cold[name].reads, model: Number(predicted.cold[name].reads.toFixed(1)) }],
        [`${name}: KB`, { measured: check.cold[name].kilobytes, model: Math.round(predicted.cold[name].kilobytes) }],
      ]),
    ]),
  );
}

function row(prediction: Prediction, records: number): object {
  const cold = QUERY_CLASSES.map((name) => prediction.cold[name]);
  const between = (of: (one: (typeof cold)[number]) => number, digits = 0) =>
    `${Math.min(...cold.map(of)).toFixed(digits)} to ${Math.max(...cold.map(of)).toFixed(digits)}`;
  const { idle, busy } = monthOf(prediction, records);
  const { coldQueriesPerSecond, metaShareOfCache } = limitsOf(prediction);
  return {
    segments: prediction.segments,
    GB: prediction.gigabytes.toFixed(0),
    reads: between(({ reads }) => reads),
    MB: between(({ kilobytes }) => kilobytes / 1000, 1),
    ms: between(({ millis }) => millis),
    'cold queries/s of one prefix': coldQueriesPerSecond.toFixed(0),
    'metas, share of the cache': metaShareOfCache.toFixed(2),
    '$ idle': idle.toFixed(2),
    '$ at 100/s': busy.toFixed(0),
    '$ OpenSearch Serverless': openSearchMonth(records).toFixed(0),
  };
}
