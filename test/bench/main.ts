/** npm run bench: every figure of `test/bench/README.md`, measured here and now. */
import { runCommandLine } from '#shared/command/command';
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
import { benchStart } from './start.ts';
import { benchWebhookBacklog } from './webhooks/webhook-backlog.ts';
import { benchWebhookCost } from './webhooks/webhook-cost.ts';
import { benchWebhooks } from './webhooks/webhooks.ts';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  parser: benchParser,
  search: () => benchSearch({ records: 100_000, peers: true }),
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
  'search-scale': benchScale,
  'search-ten-million': benchTenMillion,
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

const LINE = {
  script: 'bench',
  about: `Runs benchmarks, all of them without a name. Environment variables set how much is measured:
test/bench/README.md lists them.`,
  options: {},
  operands: { value: 'BENCH', about: Object.keys(BENCHES).join(', '), choices: Object.keys(BENCHES) },
  example: 'parser search',
} as const;

await runCommandLine(LINE, async ({ operands: names }) => {
  try {
    for (const [name, bench] of Object.entries(BENCHES)) {
      if (names.length === 0 || names.includes(name)) await bench();
    }
    return 0;
  } catch (error) {
    // With its stack: who runs benches can read it.
    console.error(error);
    return 1;
  }
});
