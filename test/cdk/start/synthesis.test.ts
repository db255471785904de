import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runDemoCommands } from '../../../cdk/start/demo-data.ts';
import { silentSteps } from '../../../cdk/start/steps.ts';
import { synthesized } from '../../../cdk/start/synthesis.ts';

let root: string;

function write(path: string, text: string) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const APP = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import './settings.ts';
mkdirSync(process.env.CDK_OUTDIR);
writeFileSync(process.env.CDK_OUTDIR + '/context.json', process.env.CDK_CONTEXT_JSON);
appendFileSync('runs.txt', 'x');
`;
const HANDLER = "export const handler = httpRoutes({\n  'GET /things': list,\n});";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'root-'));
  write('cdk.json', '{"context":{"flag":true}}');
  write('package-lock.json', '{}');
  write('cdk/app.ts', APP);
  write('package.json', '{"type": "module", "imports": {"#shared/*": "./shared/*.ts"}}');
  write('cdk/settings.ts', "import { used } from '#shared/used';\nexport const setting = used;");
  write('shared/used.ts', 'export const used = 1;');
  write('functions/a/one.handler.ts', HANDLER);
});
afterEach(() => rmSync(root, { recursive: true }));

const runs = () => readFileSync(join(root, 'runs.txt'), 'utf8').length;

describe('synthesis', () => {
  it('gives the app the context of cdk.json, the local stage, and that it is local', async () => {
    const folder = await synthesized(root, silentSteps);
    expect(JSON.parse(readFileSync(join(folder, 'context.json'), 'utf8'))).toEqual({
      flag: true,
      stage: 'dev',
      local: true,
    });
  });

  it('happens once for the same sources, whatever the functions and the local cloud do', async () => {
    const first = await synthesized(root, silentSteps);
    write('cdk/start/main.ts', 'no part of the assembly');
    write('functions/a/one.handler.ts', `${HANDLER} const more = 1;`);
    write('functions/a/two.ts', 'no handler');
    write('shared/unused.ts', 'not imported by the app');
    expect(await synthesized(root, silentSteps)).toBe(first);
    expect(runs()).toBe(1);
  });

  it.each([
    ['shared/used.ts', 'export const used = 2;'],
    ['package-lock.json', '{"changed": true}'],
    ['cdk/settings.ts', 'export const setting = 2;'],
    ['functions/a/new.handler.ts', ''],
    ['functions/a/one.handler.ts', HANDLER.replace('/things', '/other')],
    ['functions/a/one.operations.ts', "{ listThings: { route: 'GET /other' } }"],
  ])('happens again when what the app depends on has changed: %s', async (path, text) => {
    const first = await synthesized(root, silentSteps);
    write(path, text);
    expect(await synthesized(root, silentSteps)).not.toBe(first);
    expect(runs()).toBe(2);
  });

  it('that fails tells why, and is tried again', async () => {
    write('cdk/app.ts', `${APP}\nthrow new Error('no such stack');`);
    await expect(synthesized(root, silentSteps)).rejects.toThrow(/The app cannot be synthesized\.[^]*no such stack/);
    await expect(synthesized(root, silentSteps)).rejects.toThrow('The app cannot be synthesized.');
  });

  it('at the same time in two instances gives both the same', async () => {
    const [one, other] = await Promise.all([synthesized(root, silentSteps), synthesized(root, silentSteps)]);
    expect(other).toBe(one);
    expect(existsSync(join(one, 'context.json'))).toBe(true);
  });

  it('forgets what nobody started for a week', async () => {
    const old = await synthesized(root, silentSteps);
    const longAgo = new Date(Date.now() - 8 * 86_400_000);
    utimesSync(old, longAgo, longAgo);
    write('cdk/settings.ts', '');
    await synthesized(root, silentSteps);
    expect(existsSync(old)).toBe(false);
  });
});

describe('demo commands', () => {
  it('run one after the other, in the order of their domains', async () => {
    for (const domain of ['b', 'a']) {
      const command = `import { appendFileSync } from 'node:fs'; appendFileSync('demo.txt', '${domain}' + process.env.LOCAL_DEMO);`;
      write(`functions/${domain}/commands/demo.command.ts`, command);
    }
    await runDemoCommands(root, 'demo', { ...process.env, LOCAL_DEMO: '0' });
    expect(readFileSync(join(root, 'demo.txt'), 'utf8')).toBe('a0b0');
  });

  it('end the start when one fails, with its own words', async () => {
    write('functions/a/commands/demo.command.ts', `process.stderr.write('no table\\n'); process.exitCode = 3;`);
    write(
      'functions/b/commands/demo.command.ts',
      `import { writeFileSync } from 'node:fs'; writeFileSync('never.txt', '');`,
    );
    await expect(runDemoCommands(root, 'demo', process.env)).rejects.toThrow(
      `no table\n${join('functions', 'a', 'commands', 'demo.command.ts')} failed.`,
    );
    expect(existsSync(join(root, 'never.txt'))).toBe(false);
  });
});
