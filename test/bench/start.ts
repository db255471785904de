import { spawn } from 'node:child_process';
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from '../../cdk/constructs/bundle.ts';

const RUNS = 21;
const ROOT = join(import.meta.dirname, '..', '..');

/** What a handler needs in its environment to load; nothing is called. */
const ENV = {
  ACCOUNTS_TABLE: 'accounts',
  DOWNLOADS_TABLE: 'downloads',
  INDEX_BUCKET: 'index',
  DOWNLOADS_QUEUE: 'https://sqs.us-east-1.amazonaws.com/000000000000/downloads',
  CACHE_BYTES: '1000000',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  // As deployed: Node reads the source map of each file that it loads.
  NODE_OPTIONS: '--enable-source-maps',
};

/** Size of the preview function, and the time from the start of the process to its being ready, beside two others. */
export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
  const empty = join(folder, 'empty.ts');
  const clients = join(ROOT, 'test', 'bench', 'two-clients.ts');
  writeFileSync(empty, 'export const handler = async () => ({ statusCode: 200 });\n');
  mkdirSync(join(folder, 'out'));
  const bundles = {
    'an empty handler': bundle(empty, join(folder, 'out', 'empty')),
    'the DynamoDB and S3 clients alone': bundle(clients, join(folder, 'out', 'clients')),
    'the preview function': bundle(
      join(ROOT, 'functions', 'records', 'search', 'search-data.handler.ts'),
      join(folder, 'out', 'search'),
    ),
  };
  console.log('\n## Start of a function (target: 950 KB, 120 ms from process start to ready)\n');
  console.log('| handler | KB minified | ms to ready, median | p90 |\n|---|---|---|---|');
  // In turns, so that a busy moment of the machine hits all alike.
  const times = Object.keys(bundles).map((): number[] => []);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [i, built] of Object.values(bundles).entries()) times[i]?.push(await timeToReady(built));
  }
  for (const [i, [name, built]] of Object.entries(bundles).entries()) {
    const sorted = (times[i] ?? []).sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
    console.log(`| ${name} | ${(bytesOf(built) / 1000).toFixed(0)} | ${at(0.5)} | ${at(0.9)} |`);
  }
  rmSync(folder, { recursive: true });
}

const bytesOf = (folder: string) =>
  globSync('*.mjs', { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

function timeToReady(folder: string): Promise<number> {
  const url = pathToFileURL(join(folder, 'index.mjs')).href;
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', `await import('${url}'); process.stdout.write('r')`],
    {
      env: ENV,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return new Promise((resolve, reject) => {
    let ready = 0;
    child.stdout.once('data', () => {
      ready = performance.now() - started;
    });
    child.once('exit', (code) => (code === 0 ? resolve(ready) : reject(new Error(`The handler ended with ${code}.`))));
  });
}
