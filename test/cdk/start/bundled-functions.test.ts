import { randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundledFunctions } from '../../../cdk/start/bundled-functions.ts';
import { silentSteps } from '../../../cdk/start/steps.ts';

const CACHE = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache');
const LONG_AGO = new Date(Date.now() - 8 * 86_400_000);

let root: string;

function write(path: string, text: string) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  mkdirSync(CACHE, { recursive: true });
  root = mkdtempSync(join(CACHE, 'root-'));
  write('shared/count.ts', 'let count = 0;\nexport const next = (): number => (count += 1);');
  for (const name of ['one', 'two']) {
    write(
      `functions/a/${name}.handler.ts`,
      `import { next } from '../../shared/count.ts';\nexport const handler = (): string => '${name} ' + next();`,
    );
  }
});
afterEach(() => rmSync(root, { recursive: true }));

async function loaded(folder: string, name: string): Promise<() => string> {
  const module: { handler: () => string } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  return module.handler;
}

describe('the bundled functions', () => {
  it('are a module for each handler, named like it, and the parts that handlers share', async () => {
    const folder = await bundledFunctions(root, silentSteps);
    const [one, two] = await Promise.all([loaded(folder, 'a/one'), loaded(folder, 'a/two')]);
    expect([one(), two()]).toEqual(['one 1', 'two 2']);
    expect(globSync('part-*.mjs', { cwd: folder })).not.toEqual([]);
  });

  it('are made once for the same sources', async () => {
    const steps: string[] = [];
    const made = () =>
      bundledFunctions(root, (name, work) => {
        steps.push(name);
        return work();
      });
    const first = await made();
    expect(await made()).toBe(first);
    write('shared/count.ts', 'export const next = (): number => 7;');
    const second = await made();
    expect((await loaded(second, 'a/one'))()).toBe('one 7');
    expect(steps).toEqual(['Bundling 2 functions', 'Bundling 2 functions']);
  });

  it('that cannot be made leave nothing, and the error names the file and line', async () => {
    write('functions/a/one.handler.ts', '\nexport const handler = ;');
    await expect(bundledFunctions(root, silentSteps)).rejects.toThrow(/functions\/a\/one\.handler\.ts:2:\d+: ERROR/);
    expect(globSync('node_modules/.cache/functions/*', { cwd: root })).toEqual([]);
  });

  it('are removed when nobody used them for a day', async () => {
    const old = await bundledFunctions(root, silentSteps);
    utimesSync(old, LONG_AGO, LONG_AGO);
    write('shared/count.ts', 'export const next = (): number => 7;');
    await bundledFunctions(root, silentSteps);
    expect(existsSync(old)).toBe(false);
  });

  it('that are new remove what Node compiled a week ago', async () => {
    // A process that has a cache keeps it.
    enableCompileCache(join(root, 'compiled'));
    const compiled = getCompileCacheDir()!;
    mkdirSync(compiled, { recursive: true });
    const [old, recent] = [1, 2].map(() => join(compiled, randomUUID())) as [string, string];
    for (const file of [old, recent]) writeFileSync(file, '');
    utimesSync(old, LONG_AGO, LONG_AGO);
    await bundledFunctions(root, silentSteps);
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true]);
    rmSync(recent);
  });
});
