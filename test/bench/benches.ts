/** The benchmarks of `npm run bench` by their names, in the order in which they run. */
import { benchConsole } from './console.ts';
import { benchConversions } from './conversions/conversions.ts';
import { benchMeteredCost } from './conversions/metered-cost.ts';
import { benchMeteredLatency } from './conversions/metered-latency.ts';
import { benchMetering } from './conversions/metering.ts';
import { benchExamination } from './images/examination.ts';
import { benchGeneratedReceipts } from './images/generated-receipts.ts';
import { benchImagesCost } from './images/images-cost.ts';
import { benchReceipts } from './images/receipts.ts';
import { benchPlaces } from './places/places.ts';
import { benchPlacesCost } from './places/places-cost.ts';
import { benchDownload } from './records/download.ts';
import { benchDownloadCost } from './records/download-cost.ts';
import { benchDownloadKills } from './records/download-kills.ts';
import { benchParser } from './records/parser.ts';
import { benchRelevance } from './records/relevance.ts';
import { benchSearch } from './records/search.ts';
import { benchScale } from './records/search-scale.ts';
import { benchTenMillion } from './records/search-ten-million.ts';
import { sizeOf } from './size.ts';
import { benchStart } from './start.ts';
import { benchWebhookBacklog } from './webhooks/webhook-backlog.ts';
import { benchWebhookCost } from './webhooks/webhook-cost.ts';
import { benchWebhooks } from './webhooks/webhooks.ts';

export const BENCHES = {
  parser: benchParser,
  search: () => benchSearch({ records: sizeOf('RECORDS', 100_000), peers: true }),
  'search-relevance': benchRelevance,
  start: benchStart,
  download: benchDownload,
  'download-cost': benchDownloadCost,
  'download-kills': benchDownloadKills,
  webhooks: benchWebhooks,
  'webhook-backlog': benchWebhookBacklog,
  'webhook-cost': benchWebhookCost,
  console: benchConsole,
  conversions: benchConversions,
  metering: benchMetering,
  'metered-cost': benchMeteredCost,
  'metered-latency': benchMeteredLatency,
  places: () =>
    benchPlaces({
      places: sizeOf('PLACES', 100_000),
      listings: [
        [500, 200],
        [5_000, 40],
        [50_000, 8],
      ],
    }),
  'places-cost': benchPlacesCost,
  receipts: benchReceipts,
  'generated-receipts': benchGeneratedReceipts,
  examination: benchExamination,
  'images-cost': benchImagesCost,
  'search-million': () => benchSearch({ records: sizeOf('RECORDS', 1_000_000), peers: false }),
  'search-scale': benchScale,
  'search-ten-million': benchTenMillion,
  'places-million': () =>
    benchPlaces({
      places: sizeOf('PLACES', 1_000_000),
      listings: [
        [500, 100],
        [5_000, 40],
        [50_000, 8],
      ],
    }),
} as const satisfies Readonly<Record<string, () => Promise<void>>>;
