import { spawn } from 'node:child_process';
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { bundle } from '../../cdk/constructs/bundle.ts';
import { type StartService, startService } from './start-service.ts';

const RUNS = 21;
const ROOT = join(import.meta.dirname, '..', '..');

interface Start {
  readonly name: string;
  readonly folder: string;
  readonly event: object;
}

/** Milliseconds from the start of the process. */
interface Times {
  readonly ready: number;
  readonly answered: number;
}

/**
 * Size of the preview function, and the time from the start of its process to its first answered search, beside a
 * handler with the same two clients that reads one item and one object. A search reads two items and three rounds of
 * objects. All of it from the local endpoint, which answers in the process of the bench.
 */
export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
  const service = await startService();
  try {
    const starts = bundled(folder, service);
    const times = starts.map((): Times[] => []);
    // In turn, so that a busy moment of the machine affects all alike.
    for (let run = 0; run < RUNS; run += 1) {
      for (const [i, start] of starts.entries()) times[i]?.push(await timesOf(start, service.environment));
    }
    print(starts, times);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}

function bundled(folder: string, service: StartService): Start[] {
  const empty = join(folder, 'empty.ts');
  writeFileSync(empty, 'export const handler = async () => ({ statusCode: 200 });\n');
  mkdirSync(join(folder, 'out'));
  const built = (name: string, entry: string, event: object) => ({
    name,
    folder: bundle(entry, join(folder, 'out', name.replaceAll(' ', '-'))),
    event,
  });
  return [
    built('an empty handler', empty, {}),
    built(TWO_CLIENTS, join(ROOT, 'test', 'bench', 'two-clients.ts'), service.twoReads),
    built(PREVIEW, join(ROOT, 'functions', 'records', 'search', 'search-data.handler.ts'), service.search),
  ];
}

const TWO_CLIENTS = 'the two clients and a read by each';
const PREVIEW = 'the preview function and a search';

function print(starts: readonly Start[], times: readonly (readonly Times[])[]): void {
  console.log('\n## Start of a function (target: 780 KB, answered in 1.3 times what the two clients take)\n');
  console.log('| handler | KB minified | ms to ready | ms to answered, median | p90 |\n|---|---|---|---|---|');
  const answers = new Map<string, number>();
  for (const [i, { name, folder }] of starts.entries()) {
    const ready = sorted(times[i] ?? [], 'ready');
    const answered = sorted(times[i] ?? [], 'answered');
    const kilobytes = (bytesOf(folder) / 1000).toFixed(0);
    console.log(`| ${name} | ${kilobytes} | ${at(ready, 0.5)} | ${at(answered, 0.5)} | ${at(answered, 0.9)} |`);
    answers.set(name, answered[Math.floor(answered.length / 2)] ?? Number.NaN);
  }
  const ratio = (answers.get(PREVIEW) ?? Number.NaN) / (answers.get(TWO_CLIENTS) ?? Number.NaN);
  console.log(`\nAnswered in ${ratio.toFixed(2)} times what the two clients take.`);
}

const sorted = (times: readonly Times[], which: keyof Times) => times.map((one) => one[which]).sort((a, b) => a - b);
const at = (times: readonly number[], share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);

const bytesOf = (folder: string) =>
  globSync('*.mjs', { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/**
 * Loads the handler in a new process and calls it once; the process reports each stage by a byte on file descriptor 3.
 */
async function timesOf({ folder, event }: Start, environment: Readonly<Record<string, string>>): Promise<Times> {
  const url = pathToFileURL(join(folder, 'index.mjs')).href;
  const script = `
    import { writeSync } from 'node:fs';
    const { handler } = await import('${url}');
    writeSync(3, 'r');
    const { statusCode, body } = await handler(${JSON.stringify(event)}, {});
    if (statusCode !== 200) throw new Error(statusCode + ' ' + body);
    writeSync(3, 'a');
    process.exit();`;
  const started = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const stamps: number[] = [];
  (child.stdio[3] as Readable).on('data', (bytes: Buffer) => {
    bytes.forEach(() => stamps.push(performance.now() - started));
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const [ready, answered] = stamps;
  if (code !== 0 || ready === undefined || answered === undefined) throw new Error(`A handler ended with ${code}.`);
  return { ready, answered };
}
