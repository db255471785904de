import { spawn } from 'node:child_process';
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { bundle } from '../../cdk/constructs/bundling/bundle.ts';
import { sizeOf } from './size.ts';
import { type StartService, startService } from './start-service.ts';

/** Each function is started so often. */
const STARTS = sizeOf('STARTS', 21);
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
  /** That the processor has worked until the answer: steadier than the time on a machine that does other things too. */
  readonly cpu: number;
}

/**
 * Size of the preview function, and the time from the start of its process to its first answered search, beside a
 * handler with the same two clients that reads one item and one object. A search reads three items, writes two and reads
 * a round of objects. All of it from the local endpoint, which answers in the process of the bench.
 */
export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
  const service = await startService();
  try {
    const starts = bundled(folder, service);
    const times = starts.map((): Times[] => []);
    // In turn, so that a busy moment of the machine affects all alike.
    for (let run = 0; run < STARTS; run += 1) {
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
    built(TWO_CLIENTS, join(ROOT, 'test', 'bench', 'conversions', 'two-clients.ts'), service.twoReads),
    built(PREVIEW, join(ROOT, 'functions', 'records', 'search', 'search-data.handler.ts'), service.search),
  ];
}

const TWO_CLIENTS = 'the two clients and a read by each';
const PREVIEW = 'the preview function and a search';

function print(starts: readonly Start[], times: readonly (readonly Times[])[]): void {
  console.log('\n## Start of a function (target: 780 KB, answered in 1.3 times what the two clients take)\n');
  console.log(
    '| handler | KB minified | ms to ready | ms to answered, median | p90 | CPU ms |\n|---|---|---|---|---|---|',
  );
  const answers = new Map<string, number>();
  const work = new Map<string, number>();
  for (const [i, { name, folder }] of starts.entries()) {
    const ready = sorted(times[i] ?? [], 'ready');
    const answered = sorted(times[i] ?? [], 'answered');
    const cpu = sorted(times[i] ?? [], 'cpu');
    const kilobytes = (bytesOf(folder) / 1000).toFixed(0);
    console.log(
      `| ${name} | ${kilobytes} | ${at(ready, 0.5)} | ${at(answered, 0.5)} | ${at(answered, 0.9)} | ${at(cpu, 0.5)} |`,
    );
    answers.set(name, median(answered));
    work.set(name, median(cpu));
  }
  const ratioOf = (of: ReadonlyMap<string, number>) =>
    ((of.get(PREVIEW) ?? Number.NaN) / (of.get(TWO_CLIENTS) ?? Number.NaN)).toFixed(2);
  console.log(
    `\nAnswered in ${ratioOf(answers)} times what the two clients take, with ${ratioOf(work)} times the CPU.`,
  );
}

const sorted = (times: readonly Times[], which: keyof Times) => times.map((one) => one[which]).sort((a, b) => a - b);
const median = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? Number.NaN;
const at = (times: readonly number[], share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);

const bytesOf = (folder: string) =>
  globSync('*.mjs', { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/**
 * Loads the handler in a new process and calls it once; the process reports each stage on file descriptor 3, by its CPU
 * time.
 */
async function timesOf({ folder, event }: Start, environment: Readonly<Record<string, string>>): Promise<Times> {
  const url = pathToFileURL(join(folder, 'index.mjs')).href;
  const script = `
    import { writeSync } from 'node:fs';
    const { handler } = await import('${url}');
    const tell = () => writeSync(3, process.cpuUsage().user + process.cpuUsage().system + '\\n');
    tell();
    const { statusCode, body } = await handler(${JSON.stringify(event)}, {});
    if (statusCode !== 200) throw new Error(statusCode + ' ' + body);
    tell();
    process.exit();`;
  const started = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const reports: { at: number; cpu: number }[] = [];
  createInterface(child.stdio[3] as Readable).on('line', (micros) => {
    reports.push({ at: performance.now() - started, cpu: Number(micros) / 1000 });
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const [ready, answered] = reports;
  if (code !== 0 || ready === undefined || answered === undefined) throw new Error(`A handler ended with ${code}.`);
  return { ready: ready.at, answered: answered.at, cpu: answered.cpu };
}
