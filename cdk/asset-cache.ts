/**
 * Folders named after what they are made of, so that each is made once. They are never changed, since another process
 * may be reading them; folders beside one that were unused for so many days are removed.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Lifetime {
  readonly days: number;
}

/** The folder; `make` fills it where it does not exist. */
export function cachedFolder(folder: string, { days }: Lifetime, make: (fresh: string) => void): string {
  if (!existsSync(folder)) {
    const fresh = freshBeside(folder);
    try {
      make(fresh);
      putInPlace(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      throw error;
    }
  }
  return recentlyUsed(folder, days);
}

/** The same where filling the folder takes a while. */
export async function cachedFolderLater(
  folder: string,
  { days }: Lifetime,
  make: (fresh: string) => Promise<void>,
): Promise<string> {
  if (!existsSync(folder)) {
    const fresh = freshBeside(folder);
    try {
      await make(fresh);
      putInPlace(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      throw error;
    }
  }
  return recentlyUsed(folder, days);
}

/** Removes entries that were not used for this number of days. */
export function removeUnused(folder: string, { days }: Lifetime): void {
  const unusedSince = Date.now() - days * 86_400_000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // Another process may be removing folders at the same time.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < unusedSince) rmSync(path, { recursive: true, force: true });
  }
}

function freshBeside(folder: string): string {
  mkdirSync(dirname(folder), { recursive: true });
  return join(dirname(folder), `new-${randomUUID()}`);
}

function putInPlace(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another process was faster; its folder is the same.
    if (!existsSync(folder)) throw error;
    rmSync(fresh, { recursive: true });
  }
}

function recentlyUsed(folder: string, days: number): string {
  const now = new Date();
  utimesSync(folder, now, now);
  removeUnused(dirname(folder), { days });
  return folder;
}
