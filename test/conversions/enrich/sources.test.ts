import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SOURCES } from '../../../functions/conversions/enrich/sources.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PACKAGES: Readonly<Record<keyof typeof SOURCES, string>> = {
  timeZones: '@photostructure/tz-lookup',
  borders: '@rapideditor/country-coder',
  phoneRanges: 'libphonenumber-js',
  domainSuffixes: 'tldts',
  countryCodes: 'i18n-iso-countries',
  countryCurrencies: 'countries-list',
};

const ENRICH = join(ROOT, 'functions', 'conversions', 'enrich', 'enrich.ts');

/** Runs in a process of its own, which has loaded nothing yet, and prints the packages loaded after each record. */
const SCRIPT = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({ load(url, context, next) {
    const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
    if (name) loaded.add(name);
    return next(url, context);
  } });
  const { enrichItem } = await import(process.argv[1]);
  const steps = [];
  for (const item of JSON.parse(process.argv[2])) {
    await enrichItem(item, { options: { rounding: 'half-even' }, now: 0 });
    steps.push([...loaded]);
  }
  console.log(JSON.stringify(steps));
`;

async function packagesLoadedBy(items: readonly object[]): Promise<string[][]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    SCRIPT,
    ENRICH,
    JSON.stringify(items),
  ]);
  return JSON.parse(stdout) as string[][];
}

describe('sources', () => {
  it.each(Object.entries(PACKAGES))('name %s by package %s in the version that is installed', (key, name) => {
    const manifest = readFileSync(join(ROOT, 'node_modules', ...name.split('/'), 'package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(SOURCES[key as keyof typeof SOURCES]).toBe(`${name.replace(/^.*\//, '')} ${version}`);
  });
});

describe('heavy data', () => {
  const HEAVY = [...Object.values(PACKAGES), 'h3-js'];

  it('is loaded when a record first needs it, and not before', async () => {
    const product = { gtin: '4006381333931', price: '2.99', currency: 'EUR', quantity: '6 x 330 ml', name: 'Cola' };
    const items = [
      { type: 'product', record: product },
      { type: 'business', record: { website: 'acme.de' } },
      { type: 'business', record: { country: 'DE' } },
      { type: 'business', record: { phone: '+4930123456' } },
      { type: 'property', record: { lat: 37.7749, lon: -122.4194 }, include: ['geo'] },
      { type: 'property', record: { lat: 37.7749, lon: -122.4194 } },
    ];
    const steps = await packagesLoadedBy(items);
    const added = steps.map((step, index) =>
      HEAVY.filter((name) => step.includes(name) && !steps[index - 1]?.includes(name)).sort(),
    );
    expect(added).toEqual([
      [],
      ['tldts'],
      ['countries-list', 'i18n-iso-countries'],
      ['libphonenumber-js'],
      ['@photostructure/tz-lookup', '@rapideditor/country-coder'],
      ['h3-js'],
    ]);
  });
});
