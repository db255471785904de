/** The one item by which the reading of a table's stream is watched: its partition key, the same in every table. */
export const PROBE = 'PROBE';
