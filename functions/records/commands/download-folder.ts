import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { DownloadCall } from './download-call.ts';

/** The stored facts of a folder's download, by which the same call resumes it. They contain no token. */
const DownloadRecord = DownloadCall.extend({
  /** Absent until the service has returned it. */
  id: z.number().int().optional(),
  /** Earlier downloads of the same call. A new one belongs to this folder, even if its answer was lost. */
  before: z.array(z.number().int()),
});
export type DownloadRecord = z.output<typeof DownloadRecord>;

/**
 * The bytes of a file received so far. Its name holds the ETag, so that only the same version of the file continues it.
 */
export interface Part {
  readonly path: string;
  readonly etag: string;
  readonly bytes: number;
}

/** The folder of one download: its record, finished files, and parts. */
export class DownloadFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get recordPath(): string {
    return join(this.path, '.download.json');
  }

  async record(): Promise<DownloadRecord | undefined> {
    const text = await readFile(this.recordPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    try {
      return DownloadRecord.parse(JSON.parse(text));
    } catch (cause) {
      throw new Error(`${this.recordPath} is damaged. Delete it, or choose another --out.`, { cause });
    }
  }

  /** Replaces the record atomically: half a record would be useless. */
  async keep(record: DownloadRecord): Promise<void> {
    await mkdir(this.path, { recursive: true });
    await writeFile(`${this.recordPath}.new`, `${JSON.stringify(record, undefined, 2)}\n`, { flush: true });
    await rename(`${this.recordPath}.new`, this.recordPath);
  }

  forget(): Promise<void> {
    return rm(this.recordPath, { force: true });
  }

  /** The finished files of a download, by number. */
  async finished(id: number): Promise<Map<number, string>> {
    const names = new Map<number, string>();
    for (const name of await readdir(this.path)) {
      const number = numberOf(name, id);
      if (number !== undefined) names.set(number, name);
    }
    return names;
  }

  async part(name: string): Promise<Part | undefined> {
    const file = (await readdir(this.path)).find((other) => isPartOf(name, other));
    if (file === undefined) return undefined;
    const path = join(this.path, file);
    return { path, etag: etagIn(name, file), bytes: (await stat(path)).size };
  }

  /** The path for the bytes of this version of a file until it is complete. Parts of other versions are removed. */
  async newPart(name: string, etag: string | null): Promise<string> {
    const path = join(this.path, partName(name, etag));
    for (const other of await readdir(this.path)) {
      if (isPartOf(name, other)) await rm(join(this.path, other), { force: true });
    }
    return path;
  }

  finish(part: string, name: string): Promise<void> {
    return rename(part, join(this.path, name));
  }
}

/** The number in `{request_id}_{n}.txt` or `.csv`, if it is a file of this download. */
export function numberOf(name: string, id: number): number | undefined {
  const [, request, number] = /^([0-9]+)_([1-9][0-9]*)\.(?:txt|csv)$/.exec(name) ?? [];
  return request !== undefined && Number(request) === id ? Number(number) : undefined;
}

/** The name for a link's file: its own if it is one of this download, else one made from its place in the list. */
export function fileName(link: string, file: { id: number; format: 'json' | 'csv'; place: number }): string {
  const own = new URL(link).pathname.split('/').at(-1) ?? '';
  if (numberOf(own, file.id) !== undefined) return own;
  return `${file.id}_${file.place}.${file.format === 'csv' ? 'csv' : 'txt'}`;
}

/** A file without a strong ETag cannot be resumed: its part has an empty one. */
export function partName(name: string, etag: string | null): string {
  const [, strong = ''] = /^"([\w.-]+)"$/.exec(etag ?? '') ?? [];
  return `${name}.${strong}.part`;
}

const isPartOf = (name: string, other: string): boolean => other.startsWith(`${name}.`) && other.endsWith('.part');

const etagIn = (name: string, part: string): string => {
  const etag = part.slice(name.length + 1, -'.part'.length);
  return etag === '' ? '' : `"${etag}"`;
};
