/** The partition key of the probe in every table: see `stream-probe.dynamodb.ts`. */
export const PROBE = 'PROBE';
