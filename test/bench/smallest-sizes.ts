import type { BENCHES } from './benches.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * The variables with which each bench measures as little as it can. Five benches take more than a minute on a busy machine
 * all the same: `console` visits every screen, as often in a second as the API lets it; `webhooks` and `webhook-backlog`
 * start the whole service and wait for an endpoint that hangs; `search-ten-million` has 840 queries whose reads wait 20 ms
 * each; `places-cost` stores 1,000 places. @param folder with public files and receipts
 */
export const smallestSizes = (folder: string): Readonly<Record<keyof typeof BENCHES, Environment>> => ({
  parser: {},
  search: { RECORDS: '2000' },
  'search-relevance': { RECORDS_DIR: folder },
  start: { STARTS: '1' },
  download: { RECORDS: '1100', ROUNDS: '1' },
  'download-cost': { RECORDS: '2000' },
  'download-kills': { RECORDS: '25000', KILLS: '5' },
  webhooks: { RUNS: '20', EVENTS: '3', PAUSE_MILLIS: '10', BLACK_HOLE_RUNS: '50', PARTS: '1', POSTS: '100' },
  'webhook-backlog': { RUNS: '50' },
  'webhook-cost': { RUNS: '2', PARKED: '2' },
  console: { RUNS: '20', RECORDS: '20', CUSTOMERS: '20', VISITS: '1', STARTS: '1' },
  conversions: {},
  metering: { DECISIONS: '10' },
  'metered-cost': { REQUESTS: '20' },
  'metered-latency': { REQUESTS: '20' },
  places: { PLACES: '2000', LISTINGS: '5' },
  'places-cost': { REQUESTS: '10' },
  receipts: receiptsIn(folder),
  'generated-receipts': { RECEIPTS_COUNT: '1' },
  examination: receiptsIn(folder),
  'images-cost': { RECORDS: '1' },
  'search-million': { RECORDS: '2000' },
  'search-scale': {},
  'search-ten-million': { RECORDS: '4000' },
  'places-million': { PLACES: '2000', LISTINGS: '5' },
});

const receiptsIn = (folder: string): Environment => ({
  RECEIPTS_DIR: folder,
  RECEIPTS_COUNTRY: 'US',
});
