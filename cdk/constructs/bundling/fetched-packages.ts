import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedFolder } from '../../asset-cache.ts';
import { type LockedPackages, nameOf } from './locked-packages.ts';

const CACHED_DAYS = 30;

/**
 * Fetches packages for another platform than this machine's from the registry, unless they were before, and answers the
 * folder in which their paths begin. npm refuses what does not match the lockfile's digest.
 */
export function fetchedPackages(locked: LockedPackages, folder: string): string {
  const unproven = Object.keys(locked).filter((path) => locked[path]?.integrity === undefined);
  if (unproven.length > 0) throw new Error(`package-lock.json has no digest of ${unproven.join(', ')}.`);
  const digest = createHash('sha256').update(JSON.stringify(locked)).digest('hex').slice(0, 32);
  return cachedFolder(join(folder, digest), { days: CACHED_DAYS }, (fresh) => fetchInto(fresh, locked));
}

function fetchInto(fresh: string, locked: LockedPackages): void {
  // Not below the project: npm would take the project for the one to install.
  const project = mkdtempSync(join(tmpdir(), 'packages-'));
  try {
    const dependencies = Object.fromEntries(
      Object.entries(locked).map(([path, { version }]) => [nameOf(path), version]),
    );
    const packages = { '': { dependencies }, ...locked };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, dependencies }));
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
    // `--force`: they are not for this machine, which npm refuses otherwise. Digests it checks all the same.
    const options = ['--force', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = spawnSync('npm', ['ci', ...options], { cwd: project, encoding: 'utf8' });
    if (npm.status !== 0) {
      throw new Error(
        `A deployment needs ${Object.keys(dependencies).join(', ')}, which npm could not fetch.\n${npm.error ?? npm.stderr}`,
      );
    }
    cpSync(join(project, 'node_modules'), join(fresh, 'node_modules'), { recursive: true });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
