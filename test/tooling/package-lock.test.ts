import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly integrity?: string;
  /** Its files lie in the archive of the package around it. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const LOCKFILES = ['../../package-lock.json', '../../cdk/local/dynamodb/dynamodb-local/package-lock.json'];

const packagesOf = (lockfile: string) =>
  Object.entries(
    (
      JSON.parse(readFileSync(new URL(lockfile, import.meta.url), 'utf8')) as {
        packages: Record<string, LockedPackage>;
      }
    ).packages,
  ).filter(([path]) => path !== '');

it.each(LOCKFILES)('every package of %s is locked with the hash of its archive', (lockfile) => {
  const packages = packagesOf(lockfile);
  expect(packages.length).toBeGreaterThan(1);
  expect(packages.filter(([, { integrity, inBundle }]) => !integrity && !inBundle).map(([path]) => path)).toEqual([]);
});

it('an install script runs or is refused as package.json says, so that npm asks nothing', () => {
  const { allowScripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const withScript = LOCKFILES.slice(0, 1)
    .flatMap(packagesOf)
    .filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(withScript.map(([path]) => path.replace('node_modules/', '')).toSorted()).toEqual(
    Object.keys(allowScripts).toSorted(),
  );
});
