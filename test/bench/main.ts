/** npm run bench [-- parser|search|search-million|start|download|download-cost|webhooks|webhook-backlog|webhook-cost|console|conversions|metering|metered-cost|metered-latency|places|places-million|places-cost|receipts|generated-receipts|examination|images-cost …]: every figure of `test/bench/README.md`, measured here and now. */
import { benchConsole } from './console.ts';
import { benchConversions } from './conversions.ts';
import { benchDownload } from './download.ts';
import { benchDownloadCost } from './download-cost.ts';
import { benchGeneratedReceipts } from './generated-receipts.ts';
import { benchExamination } from './images/examination.ts';
import { benchImagesCost } from './images/images-cost.ts';
import { benchMeteredCost } from './metered-cost.ts';
import { benchMeteredLatency } from './metered-latency.ts';
import { benchMetering } from './metering.ts';
import { benchParser } from './parser.ts';
import { benchPlaces } from './places/places.ts';
import { benchPlacesCost } from './places/places-cost.ts';
import { benchReceipts } from './receipts.ts';
import { benchSearch } from './search.ts';
import { benchStart } from './start.ts';
import { benchWebhookBacklog } from './webhook-backlog.ts';
import { benchWebhookCost } from './webhook-cost.ts';
import { benchWebhooks } from './webhooks.ts';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  parser: benchParser,
  search: () => benchSearch({ records: 100_000, peers: true }),
  start: benchStart,
  download: benchDownload,
  'download-cost': benchDownloadCost,
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
      places: 100_000,
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
  'search-million': () => benchSearch({ records: 1_000_000, peers: false }),
  'places-million': () =>
    benchPlaces({
      places: 1_000_000,
      listings: [
        [500, 100],
        [5_000, 40],
        [50_000, 8],
      ],
    }),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; choose from ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
