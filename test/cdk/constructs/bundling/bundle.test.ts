import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle, cachedBundle } from '../../../../cdk/constructs/bundling/bundle.ts';

let folder: string;
let entry: string;
let bundles: string;
let sources: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  entry = join(folder, 'one.handler.ts');
  bundles = join(folder, 'bundles', 'one');
  sources = 'first';
  writeFileSync(entry, 'export const handler = (): number => 1;');
});
afterEach(() => rmSync(folder, { recursive: true }));

const fileOf = (bundle: string) => statSync(join(bundle, 'index.mjs')).ino;

describe('a bundle', () => {
  it('keeps the same files when it is made again, so that readers are not disturbed', () => {
    const first = cachedBundle(entry, { bundles, sources });
    const file = fileOf(first);
    expect(cachedBundle(entry, { bundles, sources })).toBe(first);
    expect(fileOf(first)).toBe(file);
    expect(readdirSync(bundles)).toHaveLength(1);
  });

  it('of other sources is a separate one, beside the first', () => {
    const first = cachedBundle(entry, { bundles, sources });
    writeFileSync(entry, 'export const handler = (): number => 2;');
    sources = 'second';
    const second = cachedBundle(entry, { bundles, sources });
    expect(second).not.toBe(first);
    expect(readFileSync(join(first, 'index.mjs'), 'utf8')).not.toBe(readFileSync(join(second, 'index.mjs'), 'utf8'));
  });

  it('is removed when it was not used for a day', () => {
    const first = cachedBundle(entry, { bundles, sources });
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(first, longAgo, longAgo);
    writeFileSync(entry, 'export const handler = (): number => 2;');
    sources = 'second';
    const second = cachedBundle(entry, { bundles, sources });
    expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
  });

  it('loads no other HTTP client with that of Node, however its parts import it', () => {
    writeFileSync(
      entry,
      `import { Agent } from 'node:https';
      import * as http from 'http';
      export const handler = async () => {
        const { request } = await import('node:http');
        return [typeof Agent, request === http.request, process.moduleLoadList.some((name) => name.includes('undici'))];
      };`,
    );
    const file = join(bundle(entry, join(folder, 'out')), 'index.mjs');
    const script = `const { handler } = await import(${JSON.stringify(file)}); console.log(JSON.stringify(await handler()));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(['function', true, false]);
  });

  it('that cannot be made leaves nothing', () => {
    writeFileSync(entry, 'export const handler = ;');
    expect(() => cachedBundle(entry, { bundles, sources })).toThrow();
    expect(readdirSync(bundles)).toEqual([]);
  });
});
