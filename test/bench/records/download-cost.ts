import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRICES, type PricedUnit } from '../../../cdk/cost/prices.ts';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import { startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createDownloadDesk, type DownloadDesk } from '../../support/records/download-desk.ts';
import { createRecordIndex } from '../../support/records/record-index.ts';
import { AwsCalls, type Charge } from '../costs/aws-calls.ts';
import { sizeOf } from '../size.ts';
import { generatedBusinesses } from './generated-businesses.ts';

const RECORDS = 1_000_000;
/** One file of an import, and one part of it. */
const IMPORTED_RECORDS = 250_000;

/** As `cdk/domains/records/downloads.ts` gives both functions. */
const MEMORY_GIGABYTES = 1_769 / 1024;
/** As `shared/queue/message-lease.sqs.ts` renews it. */
const LEASE_SECONDS = 15;

const UNITS: Readonly<Partial<Record<PricedUnit, string>>> = {
  lambdaGigabyteSecond: 'GB-s',
  lambdaRequest: 'invocation',
  dynamoDbWriteUnit: 'WRU',
  dynamoDbReadUnit: 'RRU',
  s3Put: 'PUT class',
  s3Get: 'GET class',
  s3Free: 'free',
  sqsRequest: 'request',
};

/**
 * What AWS charges for one download, from its start to its last file: the calls are counted where the product makes
 * them, and the platform's own work is added by its rules. `RECORDS` lowers how many are downloaded.
 */
export async function benchDownloadCost(): Promise<void> {
  const records = sizeOf('RECORDS', RECORDS);
  const folder = await mkdtemp(join(tmpdir(), 'download-cost-'));
  const endpoint = await startLocalEndpoint({ dataDir: folder });
  try {
    const index = await createRecordIndex(endpoint, 'cost');
    let imports = 0;
    for (const file of importFiles(records)) {
      await index.run(await index.put(`businesses/${imports}.ndjson`, file));
      imports += 1;
    }
    const desk = await createDownloadDesk(endpoint, index, 'cost');
    const { tokenId } = await desk.account('tok_cost', records);
    const came = await download(desk, tokenId);
    print(records, came);
    const { numDownloaded, filesDone } = await desk.request(came.request);
    if (numDownloaded !== records) throw new Error(`${numDownloaded} records were downloaded.`);
    console.log(`${filesDone} files. Not in it: polling and fetching by the customer, transfer, 7 days of storage.`);
  } finally {
    await endpoint.close();
    await rm(folder, { recursive: true });
  }
}

/** The cost of a download: the calls of the product, and how long each part ran. */
interface Came {
  readonly request: DownloadRequest;
  readonly calls: AwsCalls;
  readonly deliveries: number;
  readonly renewals: number;
  readonly startSeconds: number;
  readonly workSeconds: number;
}

/** Messages one after the other. Every delivery starts with nothing cached and new clients, as a cold function does. */
async function download(desk: DownloadDesk, tokenId: string): Promise<Came> {
  const calls = new AwsCalls();
  const started = performance.now();
  const { request, sent } = await desk.start(tokenId, { q: '*:*', view: 'businesses_all' }, { mortality: calls });
  const startSeconds = (performance.now() - started) / 1000;
  let deliveries = 0;
  let renewals = 0;
  let workSeconds = 0;
  const queue = [...sent];
  for (let work = queue.shift(); work; work = queue.shift()) {
    const begun = performance.now();
    queue.push(...(await desk.run(work, { mortality: calls })));
    const seconds = (performance.now() - begun) / 1000;
    deliveries += 1;
    renewals += 1 + Math.floor(seconds / LEASE_SECONDS);
    workSeconds += seconds;
  }
  return { request, calls, deliveries, renewals, startSeconds, workSeconds };
}

function print(records: number, { calls, ...came }: Came): void {
  const lines: Charge[] = [
    { operation: 'Lambda: start, invoked', calls: 1, units: 1, unit: 'lambdaRequest' },
    lambdaTime('Lambda: start, time', 1, came.startSeconds),
    { operation: 'Lambda: worker, invoked', calls: came.deliveries, units: came.deliveries, unit: 'lambdaRequest' },
    lambdaTime('Lambda: worker, time', came.deliveries, came.workSeconds),
    ...['SendMessage', 'ReceiveMessage', 'DeleteMessage'].map((name) => sqs(name, came.deliveries)),
    sqs('ChangeMessageVisibility', came.renewals),
    ...calls.charges,
  ];
  const dollarsOf = ({ unit, units }: Charge) => units * PRICES.perUnit[unit];
  const total = lines.reduce((sum, line) => sum + dollarsOf(line), 0);
  const { date, region, architecture } = PRICES;
  console.log(
    `\nCost of a download of ${records.toLocaleString('en')} records: list prices ${region}, ${architecture}, ${date}`,
  );
  console.table(
    Object.fromEntries([
      ...lines.map((line) => [
        line.operation,
        {
          calls: line.calls,
          units: Number(line.units.toFixed(1)),
          unit: UNITS[line.unit],
          dollars: dollarsOf(line).toFixed(7),
        },
      ]),
      ['total', { dollars: total.toFixed(7) }],
      ['total per million records', { dollars: ((total / records) * 1e6).toFixed(7) }],
    ]),
  );
  console.log(
    'Time is wall time of this process, in which the local AWS endpoint runs too: more than a function would take.',
  );
  if (calls.failed > 0) console.log(`${calls.failed} calls failed; what they consumed is not in it.`);
}

const lambdaTime = (operation: string, calls: number, seconds: number): Charge => ({
  operation,
  calls,
  units: seconds * MEMORY_GIGABYTES,
  unit: 'lambdaGigabyteSecond',
});

const sqs = (operation: string, calls: number): Charge => ({ operation, calls, units: calls, unit: 'sqsRequest' });

/** Records to import, as files of JSON lines. */
function* importFiles(records: number): Generator<Buffer> {
  let lines: string[] = [];
  for (const record of generatedBusinesses(records)) {
    lines.push(`${JSON.stringify(record)}\n`);
    if (lines.length < IMPORTED_RECORDS) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}
