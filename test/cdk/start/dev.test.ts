import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeKeysIn } from '../../../cdk/constructs/functions/handler-routes.ts';
import { killed, npmStart, ready, type StartedProcess, says } from '../../support/cloud/npm-start.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

stepsInOrder();

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROJECT = ['cdk', 'functions', 'shared', 'cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json'];
const HANDLER = join('functions', 'edge', 'unknown-routes.handler.ts');
const MESSAGE = 'There is no such resource.';

let root: string;
let run: StartedProcess;
let url: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'project-'));
  for (const path of PROJECT) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  if (!isThorough) emptyOthers();
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  run = npmStart({}, { root, watches: true });
  url = (await ready(run)).apiUrl;
});
afterAll(async () => {
  await killed(run);
  rmSync(root, { recursive: true });
});

/**
 * Leaves of all handlers but one no more than what stacks are made of: esbuild takes seconds of the processor for the
 * rest of them, at the start and after every change.
 */
function emptyOthers() {
  for (const file of globSync('functions/**/*.handler.ts', { cwd: root })) {
    if (file === HANDLER) continue;
    const table = routeKeysIn(join(root, file)).map((key) => `'${key}': 0,`);
    const comment = table.length === 0 ? '' : `/* httpRoutes({${table.join('')}}); */\n`;
    writeFileSync(join(root, file), `${comment}export const handler = () => undefined;\n`);
  }
}

function change(path: string, from: string, to: string) {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toContain(from);
  // In place whole: half a file might be bundled.
  writeFileSync(join(root, 'changed'), text.replaceAll(from, to));
  renameSync(join(root, 'changed'), join(root, path));
}

async function message(): Promise<string> {
  const answer = await fetch(`${url}/priv/nothing`);
  const { errors }: { errors: { message: string } } = JSON.parse(await answer.text());
  return errors.message;
}

describe('npm run dev', () => {
  it('answers the next call with new code, in the same run', async () => {
    expect(await message()).toBe(MESSAGE);
    change(HANDLER, MESSAGE, 'Nothing is here.');
    await says(run, /^New code: edge\/unknown-routes$/m);
    expect(await message()).toBe('Nothing is here.');
  });

  it('prints what esbuild says of code that it cannot bundle, and keeps the old code', async () => {
    change(HANDLER, "'Nothing is here.'", "'Broken.' +");
    await says(run, /functions\/edge\/unknown-routes\.handler\.ts:\d+:\d+:/);
    expect(await message()).toBe('Nothing is here.');
    change(HANDLER, "'Broken.' +", "'Mended.'");
    await says(run, /New code: [^]*^New code: edge\/unknown-routes$/m);
    expect(await message()).toBe('Mended.');
  });

  it('says that a changed stack needs a restart', async () => {
    change(join('cdk', 'settings.ts'), 'replaysPerSecond: 20', 'replaysPerSecond: 30');
    await says(run, /^The stacks have changed: end npm run dev and start it again to deploy them\.$/m);
  });

  it('ends cleanly', async () => {
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    expect(run.printed().match(/^Ready /gm)).toHaveLength(1);
  });
});
