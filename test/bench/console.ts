import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as z from 'zod/mini';
import { bundle } from '../../cdk/constructs/bundling/bundle.ts';
import { runDemoCommands } from '../../cdk/start/demo-data.ts';
import type { Env as AccountsEnv } from '../../functions/accounts/tenants/accounts.handler.ts';
import type { Env as ConsoleEnv } from '../../functions/console/serving/console.handler.ts';
import { Router } from '../../functions/console/serving/router.ts';
import { SCREENS } from '../../functions/console/serving/screens.ts';
import { dynamoDbClient } from '../../shared/table/table.dynamodb.ts';
import { clientOptions } from '../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { ConsoleVisitor } from '../support/console/console-visitor.ts';
import { elapsed } from '../support/runner/machine-time.ts';
import { fillCustomers, fillRecords } from './loyalty-data.ts';
import { sizeOf } from './size.ts';
import { fillLog } from './webhooks/long-log.ts';

/** Runs in the delivery log. */
const RUNS = sizeOf('RUNS', 100_000);
/** Records of the demo campaign. */
const RECORDS = sizeOf('RECORDS', 10_000);
const CUSTOMERS = sizeOf('CUSTOMERS', 50_000);
/** Each page is visited so often. */
const VISITS = sizeOf('VISITS', 21);
/** The demo data has no bulk replay. */
const EMPTY_LIST = '/console/t/demo/replays';
/** The campaign that has the records. Links lead to another one first. */
const FULL_CAMPAIGN = '/console/t/demo/campaigns/demo-receipts';
/** Each function is started so often. */
const STARTS = sizeOf('STARTS', 21);
/** The local cloud is idle when it needs less CPU time than this in each of so many seconds. */
const BUSY_MICROS = 200_000;
const QUIET_SECONDS = 5;
const TARGETS = { kilobytes: 110, millis: 100, readyMillis: 90 };
const ROOT = join(import.meta.dirname, '..', '..');

/** How soon the function is ready, and of every page its bytes and the time that the server needs for it. */
export async function benchConsole(): Promise<void> {
  await benchReady();
  // On disk: in memory the engine's stream has no index, and 100,000 runs would take hours.
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-console-'));
  const service = await startService({ dataDir });
  try {
    const environment = { ...process.env, LOCAL_AWS_PORT: new URL(service.cloud.awsUrl).port, LOCAL_DEMO: '1' };
    await runDemoCommands(ROOT, 'demo', environment);
    const client = dynamoDbClient(clientOptions(service.cloud));
    const tableOf = (output: string) => ({ name: service.cloud.outputs[output] ?? '', client });
    await fillLog(tableOf('WebhooksTable'), RUNS);
    await fillRecords(tableOf('ImagesTable'), { tenant: 'demo', permalink: 'demo-receipts', records: RECORDS });
    await fillCustomers(tableOf('AccountsTable'), 'demo', CUSTOMERS);
    await calm();
    await benchPages(service);
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The stream of the new runs is read, and nothing else is left to do. */
async function calm(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_SECONDS; ) {
    const before = process.cpuUsage();
    await elapsed(1_000);
    const { user, system } = process.cpuUsage(before);
    quiet = user + system < BUSY_MICROS ? quiet + 1 : 0;
  }
}

/** Milliseconds from the start of a process until it has loaded its handler. */
async function benchReady(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-console-'));
  try {
    const empty = join(folder, 'empty.ts');
    writeFileSync(empty, 'export const handler = async () => ({ statusCode: 200 });\n');
    mkdirSync(join(folder, 'out'));
    const handlers = [
      ['an empty handler', empty],
      ['accounts', join(ROOT, 'functions/accounts/tenants/accounts.handler.ts')],
      ['the console', join(ROOT, 'functions/console/serving/console.handler.ts')],
    ] as const;
    const folders = handlers.map(([name, entry]) => bundle(entry, join(folder, 'out', name.replaceAll(' ', '-'))));
    const times = handlers.map((): number[] => []);
    // In turn, so that a busy moment of the machine affects all alike.
    for (let n = 0; n < STARTS; n += 1) {
      for (const [i, one] of folders.entries()) times[i]?.push(await readyMillis(one));
    }
    console.log(`\nStart of a function, ms from the start of the process (target: ${TARGETS.readyMillis})`);
    console.table(
      Object.fromEntries(
        handlers.map(([name], i) => [name, { median: at(times[i] ?? [], 0.5), p90: at(times[i] ?? [], 0.9) }]),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function readyMillis(folder: string): Promise<number> {
  const url = pathToFileURL(join(folder, 'index.mjs')).href;
  const started = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', `await import('${url}'); process.exit();`], {
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`A handler ended with ${code}.`);
  return performance.now() - started;
}

/** Nothing is called before the first request. */
const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  CONSOLE_TABLE: 'console',
  AUDIT_TABLE: 'accounts',
  ACCOUNTS_TABLE: 'accounts',
  MANAGERS_POOL: 'us-east-1_bench',
  CONSOLE_CLIENT: 'bench',
  API_URL: 'http://127.0.0.1:1',
  PRODUCT_NAME: 'Console',
  OPERATORS_NEED_CODE: 'false',
  IMAGE_ORIGINS: '',
  UPLOAD_ORIGINS: '',
} as const satisfies z.input<typeof AccountsEnv> & z.input<typeof ConsoleEnv> & Readonly<Record<string, string>>;

interface Measured {
  readonly bytes: number;
  readonly millis: readonly number[];
  /** The times of an empty list, which needs one call of the API, visited in turn. */
  readonly peerMillis: readonly number[];
}

async function benchPages(service: RunningService): Promise<void> {
  const visitor = new ConsoleVisitor(service);
  await visitor.signIn('demo-operator');
  const first = await pageOf(visitor, '/console/t/demo');
  const assets = [...first.text.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  const style = assets.find((path) => path.endsWith('.css')) ?? '';
  const { text } = await visitor.get(style);
  for (const [, path = ''] of text.matchAll(/url\("?([^")]+\.woff2)/g))
    assets.push(new URL(path, `http://x${style}`).pathname);
  let assetBytes = 0;
  for (const path of new Set(assets)) assetBytes += (await pageOf(visitor, path)).bytes;

  const pages = await crawled(visitor);
  const rows: Record<string, object> = {};
  for (const [route, path] of pages) {
    const { bytes, millis, peerMillis } = await measured(visitor, path);
    rows[route.replace('GET /console/', '')] = {
      'KB page': (bytes / 1_000).toFixed(1),
      'KB first visit': ((bytes + assetBytes) / 1_000).toFixed(1),
      'p50 ms': at(millis, 0.5),
      'p95 ms': at(millis, 0.95),
      'times an empty list': (Number(at(millis, 0.5)) / Number(at(peerMillis, 0.5))).toFixed(1),
    };
  }
  console.log(
    `\nPages with ${RUNS.toLocaleString('en')} runs, ${RECORDS.toLocaleString('en')} records of a campaign and ${CUSTOMERS.toLocaleString('en')} customers, ${VISITS} visits each (targets: ${TARGETS.kilobytes} KB, ${TARGETS.millis} ms)`,
  );
  console.table(rows);
}

async function measured(visitor: ConsoleVisitor, path: string): Promise<Measured> {
  const [millis, peerMillis]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let n = 0; n <= VISITS; n += 1) {
    const page = await pageOf(visitor, path);
    const peer = await pageOf(visitor, EMPTY_LIST);
    bytes = page.bytes;
    // The first visit loads the screen.
    if (n === 0) continue;
    millis.push(serverMillis(page));
    peerMillis.push(serverMillis(peer));
  }
  return { bytes, millis, peerMillis };
}

const serverMillis = ({ headers }: { readonly headers: Headers }): number =>
  Number(/dur=([\d.]+)/.exec(headers.get('server-timing') ?? '')?.[1]);

/** A page that is answered; the API takes so many requests a second and refuses more. */
async function visited(visitor: ConsoleVisitor, path: string) {
  for (;;) {
    const answer = await visitor.get(path);
    if (answer.status !== 429) return answer;
    await elapsed(1_000);
  }
}

async function pageOf(visitor: ConsoleVisitor, path: string) {
  const answer = await visited(visitor, path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return { ...answer, bytes: Number(answer.headers.get('content-length')) };
}

/** One page of each screen that links lead to. */
async function crawled(visitor: ConsoleVisitor): Promise<Map<string, string>> {
  const router = new Router(SCREENS);
  const pages = new Map<string, string>();
  const seen = new Set<string>();
  const left = ['/console/t/demo', FULL_CAMPAIGN, '/console/accounts', '/console/system'];
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const [rawPath = '', query] = path.split('?');
    const route = router.match('GET', rawPath)?.route;
    if (route === undefined || seen.has(path) || /file|payload|answers|pictures/.test(route)) continue;
    seen.add(path);
    // Of a screen, the page without a query and one with it.
    const name = query === undefined ? route : `${route}?`;
    if (pages.has(name)) continue;
    const { text, status } = await visited(visitor, path);
    if (status !== 200) continue;
    pages.set(name, path);
    for (const [, link = ''] of text.matchAll(/<a [^>]*href="([^"#]+)/g)) left.push(link.replaceAll('&amp;', '&'));
  }
  return pages;
}

const at = (values: readonly number[], share: number) =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1);
