import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A folder named after what it is made of, so that it is made once. It is never changed, since another synthesis may be
 * reading it; folders beside it that were unused for so many days are removed.
 */
export function keptFolder(folder: string, { days }: { days: number }, make: (fresh: string) => void): string {
  const beside = dirname(folder);
  mkdirSync(beside, { recursive: true });
  if (!existsSync(folder)) {
    const fresh = join(beside, `new-${randomUUID()}`);
    try {
      make(fresh);
      putInPlace(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      throw error;
    }
  }
  const now = new Date();
  utimesSync(folder, now, now);
  forgetOld(beside, now.getTime() - days * 86_400_000);
  return folder;
}

function putInPlace(fresh: string, kept: string): void {
  try {
    renameSync(fresh, kept);
  } catch (error) {
    // Another process was faster; its folder is the same.
    if (!existsSync(kept)) throw error;
    rmSync(fresh, { recursive: true });
  }
}

function forgetOld(beside: string, unusedSince: number) {
  for (const name of readdirSync(beside)) {
    const path = join(beside, name);
    // Another synthesis may be removing folders at the same time.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < unusedSince) rmSync(path, { recursive: true, force: true });
  }
}
