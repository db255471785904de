/** Receipts with these seeds may be looked at while reading is improved. */
export const TUNING_SEEDS = { first: 1, last: 9_999 } as const;

/** Receipts with these seeds are for figures that are reported, and nobody tunes anything to them. */
export const REPORTING_SEEDS = { first: 10_000, last: 19_999 } as const;
