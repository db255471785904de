/** npm run bench: every figure of `test/bench/README.md`, measured here and now. */
import { runCommandLine } from '#shared/command';
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
