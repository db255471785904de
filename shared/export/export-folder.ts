import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ExportedFile } from './manifest.ts';

/** The mode of the folder: exports are readable by their owner alone. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

interface OpenFile {
  readonly stream: WriteStream;
  readonly hash: Hash;
  bytes: number;
  items: number;
}

/** The files of one domain's export, below a folder. */
export class ExportFolder {
  readonly #root: string;
  readonly #domain: string;
  readonly #open = new Map<string, OpenFile>();
  readonly #files: ExportedFile[] = [];

  constructor(root: string, domain: string) {
    this.#root = root;
    this.#domain = domain;
  }

  async line(file: string, line: string): Promise<void> {
    const path = `${this.#domain}/${file}.ndjson`;
    const open = this.#open.get(path) ?? { stream: await this.#create(path), hash: sha256(), bytes: 0, items: 0 };
    this.#open.set(path, open);
    open.hash.update(line);
    open.bytes += Buffer.byteLength(line);
    open.items += 1;
    if (!open.stream.write(line)) await once(open.stream, 'drain');
  }

  /** Stores an object of a bucket under its key. */
  async object(key: string, body: Readable): Promise<void> {
    const path = `${this.#domain}/files/${key.split('/').map(fileName).join('/')}`;
    const hash = sha256();
    let bytes = 0;
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      await this.#create(path),
    );
    this.#files.push({ path, bytes, sha256: hash.digest('hex') });
  }

  /** Ends every file. */
  async close(): Promise<readonly ExportedFile[]> {
    for (const [path, { stream, hash, bytes, items }] of this.#open) {
      stream.end();
      await finished(stream);
      this.#files.push({ path, bytes, items, sha256: hash.digest('hex') });
    }
    return this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #create(path: string): Promise<WriteStream> {
    const file = join(this.#root, path);
    await mkdir(dirname(file), { recursive: true, mode: OWN_FOLDER });
    return createWriteStream(file, { flags: 'wx', mode: OWN_FILE });
  }
}

const sha256 = () => createHash('sha256');

/** A part of a key as the name of a file: no part leads out of its folder. */
const fileName = (part: string) => (/^\.*$/.test(part) ? `_${part}` : encodeURIComponent(part));
