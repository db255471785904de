/** Work that was accepted and is not done: it survives the end of the process, one small file each. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';

export interface PendingItem<T> {
  readonly id: string;
  readonly item: T;
}

export class PendingWork<T> {
  private readonly folder: string | null;
  private readonly schema: z.ZodType<T>;
  private readonly ids = new Set<string>();

  /** @param folder of the files; null keeps nothing. */
  constructor(folder: string | null, schema: z.ZodType<T>) {
    this.folder = folder;
    this.schema = schema;
    if (folder !== null) mkdirSync(folder, { recursive: true });
  }

  get size(): number {
    return this.ids.size;
  }

  add(item: T): PendingItem<T> {
    // Time first, so that the files of a folder are in the order of arrival.
    const id = `${Date.now()}-${randomUUID()}`;
    this.keep({ id, item });
    return { id, item };
  }

  /** Replaces what is kept of an item. */
  keep({ id, item }: PendingItem<T>): void {
    this.ids.add(id);
    if (this.folder === null) return;
    const file = this.fileOf(id);
    writeFileSync(`${file}.new`, JSON.stringify(item));
    renameSync(`${file}.new`, file);
  }

  done(id: string): void {
    this.ids.delete(id);
    if (this.folder !== null) rmSync(this.fileOf(id), { force: true });
  }

  /** Returns the items that an earlier run left. */
  left(): PendingItem<T>[] {
    const { folder } = this;
    if (folder === null) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => {
      const id = name.slice(0, -'.json'.length);
      this.ids.add(id);
      return { id, item: this.schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))) };
    });
  }

  private fileOf(id: string): string {
    return join(this.folder ?? '', `${id}.json`);
  }
}
