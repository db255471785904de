/** The position in each shard of a stream up to which records were handled. It is on disk, so a restart loses and skips nothing. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** The last sequence number done; `beginning` for a shard whose every record is still to do. */
const Positions = z.record(z.string(), z.string());

export const BEGINNING = 'beginning';

export class Checkpoints {
  private readonly file: string | null;
  private readonly positions: Map<string, string>;

  /** @param file null keeps nothing. */
  constructor(file: string | null) {
    this.file = file;
    const saved = file !== null && existsSync(file) ? Positions.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
    this.positions = new Map(Object.entries(saved));
    if (file !== null) mkdirSync(dirname(file), { recursive: true });
  }

  get(shardId: string): string | undefined {
    return this.positions.get(shardId);
  }

  set(shardId: string, position: string): void {
    this.positions.set(shardId, position);
    if (this.file === null) return;
    writeFileSync(`${this.file}.new`, JSON.stringify(Object.fromEntries(this.positions)));
    renameSync(`${this.file}.new`, this.file);
  }
}
