import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { bundle } from '../../../cdk/constructs/bundling/bundle.ts';
import type { Env } from '../../../functions/conversions/convert/convert.handler.ts';
import type { HttpEvent, HttpResult } from '../../../shared/http/http-handler.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { capturedOutput } from '../captured-output.ts';
import { sizeOf } from '../size.ts';
import { convertCall, invoked, type MeteredService, startMeteredService } from './metered-accounts.ts';

/** Requests that warm up, and requests that are measured, of each handler. */
const WARM_UP = 1_000;
const REQUESTS = 4_000;
/** In turn, so that no bucket is used up. */
const TENANTS = 20;
const TARGET_RATIO = 1.5;
/** The measured requests are split into as many parts: a busy second of the machine is the tail of one of them only. */
const PARTS = 10;

const ROOT = join(import.meta.dirname, '..', '..', '..');
const HANDLERS = {
  'one plain write, no meter': join(ROOT, 'test', 'bench', 'conversions', 'plain-convert.ts'),
  metered: join(ROOT, 'functions', 'conversions', 'convert', 'convert.handler.ts'),
} as const;
type Name = keyof typeof HANDLERS;
const NAMES = Object.keys(HANDLERS) as Name[];

type Handler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

/** What each request took, in milliseconds. */
interface Times {
  readonly wall: number[];
  readonly cpu: number[];
}

/**
 * Latency and processor time of `convert` with one item, bundled as it is deployed and warm, beside the same handler
 * with one plain write in the place of the meter. Both call the table of the local endpoint, over HTTP. `REQUESTS` sets
 * how many requests are measured.
 */
export async function benchMeteredLatency(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'metered-latency-'));
  const service = await startMeteredService();
  try {
    const handlers = await loaded(folder, service);
    print(await measure(handlers, service));
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}

async function loaded(folder: string, { endpoint, table }: MeteredService): Promise<Record<Name, Handler>> {
  const { credentials, region } = endpoint.clientOptions();
  // No tenant of the bench is restricted.
  const accounts = await createTable(endpoint, 'accounts');
  const environment = {
    ACCOUNTS_TABLE: accounts.name,
    CONVERSIONS_TABLE: table.name,
    KEY_SECRETS: endpoint.secretId,
    LATE_USAGE_QUEUE: `${endpoint.url}/000000000000/late-usage`,
    // Longer than on a stage: a busy machine must not open the meter.
    METER_CALL_MILLIS: '5000',
    METER_REQUEST_MILLIS: '5000',
    POWERTOOLS_SERVICE_NAME: 'conversions',
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  } satisfies z.input<typeof Env> & Readonly<Record<string, string>>;
  Object.assign(process.env, environment);
  const load = async (name: Name): Promise<Handler> => {
    const built = bundle(HANDLERS[name], join(folder, name.replaceAll(/\W+/g, '-')));
    return (await import(pathToFileURL(join(built, 'index.mjs')).href)).handler;
  };
  return { 'one plain write, no meter': await load('one plain write, no meter'), metered: await load('metered') };
}

async function measure(handlers: Record<Name, Handler>, service: MeteredService): Promise<Record<Name, Times>> {
  const requests = sizeOf('REQUESTS', REQUESTS);
  const times: Record<Name, Times> = {
    'one plain write, no meter': { wall: [], cpu: [] },
    metered: { wall: [], cpu: [] },
  };
  const keys: string[] = [];
  for (let n = 0; n < TENANTS; n += 1) keys.push(await service.account(`tenant-${n}`, 'scale'));
  const output = capturedOutput();
  try {
    for (let n = 0; n < WARM_UP + requests; n += 1) {
      // In turn, and either one first, so that a busy moment of the machine affects both alike.
      for (const name of n % 2 === 0 ? NAMES : NAMES.toReversed()) {
        const event = convertCall(keys[n % TENANTS] ?? '');
        const context = invoked();
        const cpu = process.cpuUsage();
        const start = performance.now();
        const { statusCode, headers, body } = await handlers[name](event, context);
        const wall = performance.now() - start;
        const { user, system } = process.cpuUsage(cpu);
        if (statusCode !== 200 || (name === 'metered' && headers?.['x-quota-cost'] !== '1')) {
          throw new Error(`${name}: ${statusCode} ${body}`);
        }
        if (n < WARM_UP) continue;
        times[name].wall.push(wall);
        times[name].cpu.push((user + system) / 1_000);
      }
      output.text = '';
    }
  } finally {
    output.end();
  }
  return times;
}

function print(times: Record<Name, Times>): void {
  const plain = figures(times['one plain write, no meter']);
  const own = figures(times.metered);
  const ratio = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, value / (plain[name] ?? Number.NaN)]),
  );
  console.log(`\nA warm convert of one item, ${times.metered.wall.length} requests of each kind in turn, milliseconds`);
  console.table(
    Object.fromEntries(
      [...Object.entries({ 'one plain write, no meter': plain, metered: own }), ['ratio', ratio] as const].map(
        ([name, row]) => [name, Object.fromEntries(Object.entries(row).map(([of, value]) => [of, value.toFixed(2)]))],
      ),
    ),
  );
  console.log(
    `Target: p99 at most ${TARGET_RATIO} times that of the plain write; here ${ratio['p99']?.toFixed(2)} times, ` +
      `and ${medianOfParts(times).toFixed(2)} times as the median of ${PARTS} parts of the run.\n` +
      'The endpoint is another process on the same machine; each request ends before the next begins.',
  );
}

/** The ratio of both p99. */
function medianOfParts({ 'one plain write, no meter': plain, metered }: Record<Name, Times>): number {
  const length = Math.floor(metered.wall.length / PARTS);
  const ratios = Array.from({ length: PARTS }, (_, n) => {
    const p99 = ({ wall }: Times) => at(wall.slice(n * length, (n + 1) * length), 0.99);
    return p99(metered) / p99(plain);
  });
  return at(ratios, 0.5);
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

function figures({ wall, cpu }: Times): Record<string, number> {
  return {
    p50: at(wall, 0.5),
    p90: at(wall, 0.9),
    p99: at(wall, 0.99),
    'CPU, mean': cpu.reduce((sum, one) => sum + one, 0) / cpu.length,
  };
}
