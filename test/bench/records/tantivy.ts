import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { BenchQuery } from './search-queries.ts';

/** Documents that are sent to the other process at once. */
const BATCH = 500;

type Values = Readonly<Record<string, string | readonly string[] | number>>;

/** Returns whether Python and the package `tantivy` of PyPI are on this machine. */
export async function hasTantivy(): Promise<boolean> {
  try {
    await promisify(execFile)('python3', ['-c', 'import tantivy']);
    return true;
  } catch {
    return false;
  }
}

/** Tantivy in a process of Python. */
export class TantivyProcess {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #batch: Values[] = [];

  /** @param fields the kinds of the fields: text, keyword or number. */
  constructor(folder: string, fields: Readonly<Record<string, string>>) {
    this.#folder = folder;
    const script = join(import.meta.dirname, 'tantivy-engine.py');
    this.#child = spawn('python3', [script, folder, JSON.stringify(fields)], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  add(values: Values): Promise<void> | undefined {
    this.#batch.push(values);
    return this.#batch.length === BATCH ? this.#sendBatch() : undefined;
  }

  async finish(): Promise<{ cpuSeconds: number; peakMegabytes: number }> {
    await this.#sendBatch();
    return this.#ask({ finish: true });
  }

  search(query: BenchQuery): Promise<{ total: number; records: string[] }> {
    return this.#ask({ search: query });
  }

  get residentMegabytes(): number {
    const [, pages = '0'] = readFileSync(`/proc/${this.#child.pid}/statm`, 'utf8').split(' ');
    return (Number(pages) * 4096) / 1e6;
  }

  async diskBytes(): Promise<number> {
    const files = await readdir(this.#folder);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(this.#folder, file))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async close(): Promise<void> {
    this.#child.stdin!.end();
    await once(this.#child, 'exit');
  }

  async #sendBatch(): Promise<void> {
    const add = this.#batch;
    this.#batch = [];
    if (!this.#child.stdin!.write(`${JSON.stringify({ add })}\n`)) await once(this.#child.stdin!, 'drain');
  }

  async #ask<Answer>(command: object): Promise<Answer> {
    this.#child.stdin!.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('The process of Tantivy ended.');
    return JSON.parse(value);
  }
}
