/** A log with a bounded size: a full file replaces the older file, and a new one begins. */
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MIB = 1024 * 1024;

export class LogFile {
  private readonly path: string;
  private readonly bytesMax: number;
  private bytes: number;

  /** @param bytesMax the size of each of the two files */
  constructor(path: string, bytesMax = 10 * MIB) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.bytesMax = bytesMax;
    this.bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  append(text: string): void {
    const added = Buffer.byteLength(text);
    if (this.bytes > 0 && this.bytes + added > this.bytesMax) {
      // A user may have deleted it to begin a fresh one.
      if (existsSync(this.path)) renameSync(this.path, `${this.path}.1`);
      this.bytes = 0;
    }
    appendFileSync(this.path, text);
    this.bytes += added;
  }
}
