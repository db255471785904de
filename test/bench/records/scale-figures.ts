import type { Calibration, ColdMean, MeasuredIndex } from './scale-model.ts';
import { QUERY_CLASSES, type QueryClass } from './search-queries.ts';

/** Means of 60 queries of each class, in their order: reads and kilobytes. */
function coldOf(...figures: readonly (readonly [reads: number, kilobytes: number])[]): Record<QueryClass, ColdMean> {
  const means = QUERY_CLASSES.map((name, i) => [name, { reads: figures[i]![0], kilobytes: figures[i]![1] }] as const);
  return Object.fromEntries(means) as Record<QueryClass, ColdMean>;
}

/** Generated businesses, measured on 2026-11-26 and 27: four indexes calibrate the model, and two others check it. */
export const SCALE_FIGURES: Calibration & { readonly checks: readonly MeasuredIndex[] } = {
  small: {
    records: 250_000,
    segments: 1,
    megabytes: 133,
    metaKilobytes: 20,
    cold: coldOf([4.1, 327], [6.2, 436], [4.8, 287], [4.8, 461], [3.1, 231], [4.2, 385], [5, 332]),
  },
  large: {
    records: 1_000_000,
    segments: 1,
    megabytes: 503,
    metaKilobytes: 45,
    cold: coldOf([4.2, 360], [6.8, 503], [4.8, 334], [5.6, 515], [3.1, 309], [4.6, 506], [5, 365]),
  },
  largest: {
    records: 10_000_000,
    segments: 1,
    megabytes: 4_987,
    metaKilobytes: 295,
    cold: coldOf([4.2, 803], [7.3, 1_909], [4.9, 1_670], [5.8, 1_220], [3.1, 1_316], [5, 1_866], [5.1, 1_249]),
  },
  parts: {
    records: 1_000_000,
    segments: 4,
    megabytes: 531,
    metaKilobytes: 79,
    cold: coldOf([10.2, 603], [18.2, 1140], [16, 987], [12.4, 909], [9.1, 570], [12.3, 821], [13.7, 854]),
  },
  checks: [
    {
      records: 500_000,
      segments: 1,
      megabytes: 262,
      metaKilobytes: 32,
      cold: coldOf([4.2, 341], [6.5, 450], [4.8, 296], [5.3, 476], [3.1, 262], [4.3, 450], [5, 343]),
    },
    {
      records: 500_000,
      segments: 2,
      megabytes: 266,
      metaKilobytes: 39,
      cold: coldOf([6.2, 419], [10.3, 671], [8.5, 520], [7.5, 609], [5.1, 344], [6.9, 531], [7.9, 506]),
    },
  ],
};
