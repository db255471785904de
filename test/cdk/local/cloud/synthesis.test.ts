import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runDemoCommands } from '../../../../cdk/local/demo-data.ts';
import { synthesized } from '../../../../cdk/local/synthesis.ts';

let root: string;

function write(path: string, text: string) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const APP = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
mkdirSync(process.env.CDK_OUTDIR);
writeFileSync(process.env.CDK_OUTDIR + '/context.json', process.env.CDK_CONTEXT_JSON);
appendFileSync('runs.txt', 'x');
`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'root-'));
  write('cdk.json', '{"context":{"flag":true}}');
  write('package-lock.json', '{}');
  write('cdk/app.ts', APP);
  write('functions/a/one.handler.ts', '1');
});
afterEach(() => rmSync(root, { recursive: true }));

const runs = () => readFileSync(join(root, 'runs.txt'), 'utf8').length;

describe('synthesis', () => {
  it('gives the app the context of cdk.json, the local stage, and that it is local', async () => {
    const folder = await synthesized(root);
    expect(JSON.parse(readFileSync(join(folder, 'context.json'), 'utf8'))).toEqual({
      flag: true,
      stage: 'dev',
      local: true,
    });
  });

  it('happens once for the same sources', async () => {
    const first = await synthesized(root);
    write('cdk/local/main.ts', 'the runner is no part of the assembly');
    expect(await synthesized(root)).toBe(first);
    expect(runs()).toBe(1);
  });

  it.each(['functions/a/one.handler.ts', 'shared/new.ts', 'package-lock.json', 'cdk/settings.ts'])(
    'happens again when %s has changed',
    async (path) => {
      const first = await synthesized(root);
      write(path, '"changed"');
      expect(await synthesized(root)).not.toBe(first);
      expect(runs()).toBe(2);
    },
  );

  it('that fails tells why, and is tried again', async () => {
    write('cdk/app.ts', `${APP}\nthrow new Error('no such stack');`);
    await expect(synthesized(root)).rejects.toThrow(/The app cannot be synthesized\.[^]*no such stack/);
    await expect(synthesized(root)).rejects.toThrow('The app cannot be synthesized.');
  });

  it('at the same time in two instances gives both the same', async () => {
    const [one, other] = await Promise.all([synthesized(root), synthesized(root)]);
    expect(other).toBe(one);
    expect(existsSync(join(one, 'context.json'))).toBe(true);
  });

  it('forgets what nobody started for a week', async () => {
    const old = await synthesized(root);
    const longAgo = new Date(Date.now() - 8 * 86_400_000);
    utimesSync(old, longAgo, longAgo);
    write('shared/new.ts', '1');
    await synthesized(root);
    expect(existsSync(old)).toBe(false);
  });

  it('forgets what Node compiled a week ago', async () => {
    // A process that has a cache keeps it.
    enableCompileCache(join(root, 'compiled'));
    const compiled = getCompileCacheDir()!;
    mkdirSync(compiled, { recursive: true });
    const [old, recent] = [1, 2].map(() => join(compiled, randomUUID())) as [string, string];
    for (const file of [old, recent]) writeFileSync(file, '');
    const longAgo = new Date(Date.now() - 8 * 86_400_000);
    utimesSync(old, longAgo, longAgo);
    await synthesized(root);
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true]);
    rmSync(recent);
  });
});

describe('demo commands', () => {
  it('run one after the other, in the order of their domains', async () => {
    for (const domain of ['b', 'a']) {
      const command = `import { appendFileSync } from 'node:fs'; appendFileSync('demo.txt', '${domain}' + process.env.LOCAL_DEMO);`;
      write(`functions/${domain}/commands/demo.command.ts`, command);
    }
    await runDemoCommands(root, { ...process.env, LOCAL_DEMO: '0' });
    expect(readFileSync(join(root, 'demo.txt'), 'utf8')).toBe('a0b0');
  });

  it('end the start when one fails, with its own words', async () => {
    write('functions/a/commands/demo.command.ts', `process.stderr.write('no table'); process.exitCode = 3;`);
    write(
      'functions/b/commands/demo.command.ts',
      `import { writeFileSync } from 'node:fs'; writeFileSync('never.txt', '');`,
    );
    await expect(runDemoCommands(root, process.env)).rejects.toThrow(
      `${join('functions', 'a', 'commands', 'demo.command.ts')} failed.\nno table`,
    );
    expect(existsSync(join(root, 'never.txt'))).toBe(false);
  });
});
