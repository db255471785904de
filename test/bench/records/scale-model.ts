import { PRICES } from '../../../cdk/cost/prices.ts';
import { QUERY_CLASSES, type QueryClass } from './search-queries.ts';

/** Cold figures of a class of queries: reads and kilobytes, on average. */
export interface ColdMean {
  readonly reads: number;
  readonly kilobytes: number;
}

/** An index of generated businesses as it was measured. */
export interface MeasuredIndex {
  readonly records: number;
  readonly segments: number;
  readonly megabytes: number;
  /** Of all metas together. */
  readonly metaKilobytes: number;
  readonly cold: Readonly<Record<QueryClass, ColdMean>>;
}

/** Three sizes as one segment each, and the middle one in parts that are each as large as the smallest. */
export type Calibration = Readonly<Record<'small' | 'large' | 'largest' | 'parts', MeasuredIndex>>;

/** The largest segment that merging makes (`functions/records/index/index-merge.ts`). */
const SEGMENT_RECORDS = 12_500_000;
/** Bytes of a segment in the manifest's item, and what DynamoDB reads with one unit. */
const MANIFEST_BYTES_PER_SEGMENT = 110;
const READ_UNIT_BYTES = 4096;
/** Until S3 splits a prefix. */
const READS_PER_SECOND = 5_500;
const FIRST_BYTE_MILLIS = 20;
const ROUNDS = 3;
/** The rate at which a function of 1,769 MiB receives data from S3 and builds sets. */
const MEGABYTES_PER_SECOND = 75;
const MEMORY_GIGABYTES = 1_769 / 1024;
/** The cache of a function (`cdk/domains/records/index-grants.ts`), and how much a meta grows when it is decoded. */
const CACHE_MEGABYTES = 700;
const META_GROWTH = 6;

const SECONDS_PER_MONTH = 730 * 3600;
const QUERIES_PER_SECOND = 100;
const COLD_SHARE = 0.02;
const WARM_MILLIS_OVERHEAD = 15;
/** Sets of ten million records, made and compared: measured warm, p50 over all classes. */
const WARM_MILLIS_PER_TEN_MILLION = 5;

/** OpenSearch Serverless at list price, with redundancy: two halves of a unit for indexing, and the data twice for search. */
const OCU_HOUR = 0.24;
const OCU_GIGABYTES = 120;
const OCU_STORAGE_GIGABYTE_MONTH = 0.024;
/** Bytes that a record takes there, about those of its JSON with an inverted index beside. */
const OPENSEARCH_BYTES_PER_RECORD = 1_200;

/** The prediction of the model for an index of this many records. */
export interface Prediction {
  readonly segments: number;
  readonly gigabytes: number;
  readonly metaKilobytes: number;
  readonly cold: Readonly<Record<QueryClass, ColdMean & { readonly millis: number }>>;
}

/**
 * A query costs something in each segment (the meta, and the groups of its terms), which grows with the segment in
 * straight lines between the sizes that were measured, and something for the first ten records, once.
 */
export class ScaleModel {
  readonly #small: MeasuredIndex;
  readonly #large: MeasuredIndex;
  readonly #largest: MeasuredIndex;
  readonly #parts: MeasuredIndex;

  constructor({ small, large, largest, parts }: Calibration) {
    this.#small = small;
    this.#large = large;
    this.#largest = largest;
    this.#parts = parts;
  }

  predict(records: number, segments = Math.max(1, Math.ceil(records / SEGMENT_RECORDS))): Prediction {
    const each = records / segments;
    const cold = QUERY_CLASSES.map((name) => {
      const reads = this.#reads(each, segments, name);
      const kilobytes = this.#kilobytes(each, segments, name);
      const millis = ROUNDS * FIRST_BYTE_MILLIS + kilobytes / MEGABYTES_PER_SECOND;
      return [name, { reads, kilobytes, millis }] as const;
    });
    return {
      segments,
      gigabytes: (this.#line(each, ({ megabytes }) => megabytes) * segments) / 1000,
      metaKilobytes: this.#line(each, ({ metaKilobytes }) => metaKilobytes) * segments,
      cold: Object.fromEntries(cold) as Prediction['cold'],
    };
  }

  /** Reads of the first ten records hardly grow with the index: where more records match, they are closer together. */
  #reads(each: number, segments: number, name: QueryClass): number {
    const [large, parts] = [this.#large.cold[name].reads, this.#parts.cold[name].reads];
    const inSegment = (parts - large) / (this.#parts.segments - 1);
    return this.#line(each, ({ cold }) => cold[name].reads) + inSegment * (segments - 1);
  }

  #kilobytes(each: number, segments: number, name: QueryClass): number {
    const [small, parts] = [this.#small.cold[name].kilobytes, this.#parts.cold[name].kilobytes];
    const firstTen = small - (parts - small) / (this.#parts.segments - 1);
    return firstTen + segments * (this.#line(each, ({ cold }) => cold[name].kilobytes) - firstTen);
  }

  #line(records: number, of: (index: MeasuredIndex) => number): number {
    const [low, high] = records <= this.#large.records ? [this.#small, this.#large] : [this.#large, this.#largest];
    const slope = (of(high) - of(low)) / (high.records - low.records);
    return of(low) + slope * (records - low.records);
  }
}

/** Dollars a month for the index alone: without the API, logs, and what limits and accounts cost. */
export function monthOf({ segments, gigabytes, cold }: Prediction, records: number) {
  const prices = PRICES.perUnit;
  const idle = gigabytes * prices.s3GigabyteMonth;
  const queries = QUERIES_PER_SECOND * SECONDS_PER_MONTH;
  const means = Object.values(cold);
  const mean = (of: (one: Prediction['cold'][QueryClass]) => number) =>
    means.reduce((sum, one) => sum + of(one), 0) / means.length;
  const warmMillis = WARM_MILLIS_OVERHEAD + (records / 1e7) * WARM_MILLIS_PER_TEN_MILLION;
  const millis = warmMillis + COLD_SHARE * mean((one) => one.millis);
  const copies = Math.ceil((QUERIES_PER_SECOND * millis) / 1000);
  const manifestUnits = Math.ceil((segments * MANIFEST_BYTES_PER_SEGMENT) / READ_UNIT_BYTES);
  const busy =
    idle +
    queries * (prices.lambdaRequest + (millis / 1000) * MEMORY_GIGABYTES * prices.lambdaGigabyteSecond) +
    queries * COLD_SHARE * mean((one) => one.reads) * prices.s3Get +
    4 * copies * SECONDS_PER_MONTH * manifestUnits * prices.dynamoDbReadUnit;
  return { idle, busy };
}

/** Dollars a month for as many records in OpenSearch Serverless, idle or not, if the units of the data are enough. */
export function openSearchMonth(records: number): number {
  const gigabytes = (records * OPENSEARCH_BYTES_PER_RECORD) / 1e9;
  const perCopy = gigabytes <= OCU_GIGABYTES / 2 ? 0.5 : Math.ceil(gigabytes / OCU_GIGABYTES);
  const searching = perCopy * 2;
  return (1 + searching) * OCU_HOUR * 730 + gigabytes * OCU_STORAGE_GIGABYTE_MONTH;
}

/** Cold queries a second until a prefix of S3 throttles, and megabytes of metas beside the cache of a function. */
export function limitsOf({ cold, metaKilobytes }: Prediction) {
  const mostReads = Math.max(...Object.values(cold).map(({ reads }) => reads));
  return {
    coldQueriesPerSecond: READS_PER_SECOND / mostReads,
    metaShareOfCache: (metaKilobytes * META_GROWTH) / 1000 / CACHE_MEGABYTES,
  };
}
