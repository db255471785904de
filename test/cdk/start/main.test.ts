import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { killed, npmStart, ready, type StartedProcess } from '../../support/cloud/npm-start.ts';
import { few } from '../../support/runner/thoroughness.ts';

const runs: StartedProcess[] = [];
afterEach(async () => {
  for (const run of runs.splice(0)) await killed(run);
});

function started(settings: Record<string, string>): StartedProcess {
  const run = npmStart(settings);
  runs.push(run);
  return run;
}

describe('npm start', { timeout: 120_000 }, () => {
  it('serves the API until Ctrl-C, and ends cleanly', async () => {
    const signals = few<NodeJS.Signals>(['SIGINT'], ['SIGTERM']);
    const instances = signals.map(() => started({}));
    const urls = (await Promise.all(instances.map(ready))).map(({ apiUrl }) => apiUrl);
    expect(new Set(urls).size).toBe(signals.length);
    for (const url of urls) expect((await fetch(`${url}/no-such-route`)).status).toBe(404);
    for (const [i, { child, ended, printed }] of instances.entries()) {
      expect(printed().match(/^Ready/gm)).toHaveLength(1);
      child.kill(signals[i]);
      expect(await ended).toBe(0);
    }
    const gone = new Promise((resolve) =>
      connect(Number(new URL(urls[0] ?? '').port), '127.0.0.1').on('error', resolve),
    );
    expect(await gone).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each(['PORT', 'LOCAL_AWS_PORT'])('says in a sentence that the port of %s is in use', async (name) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = started({ [name]: String(port) });
    expect(await run.ended).toBe(1);
    expect(run.printed()).toContain(
      `Port ${port} is in use. Stop what listens there, or choose another one with ${name}.`,
    );
    expect(run.printed()).not.toContain('Ready');
    server.close();
  });

  it('says that LOCAL_DATA_DIR is a file', async () => {
    const run = started({ LOCAL_DATA_DIR: 'package.json' });
    expect(await run.ended).toBe(1);
    expect(run.printed()).toMatch(/^LOCAL_DATA_DIR is .*package\.json, which is a file\. Set it to a folder\.\n$/);
  });

  it.each([
    ['--help', 0, /^npm run start -- \[--watch\]\n/],
    ['--port=3001', 1, /^There is no option --port: choose --watch or --help\./],
  ])('answers %s without starting anything', (argument, code, said) => {
    const main = join(import.meta.dirname, '..', '..', '..', 'cdk', 'start', 'main.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, argument], { encoding: 'utf8' });
    expect(status).toBe(code);
    expect(stdout + stderr).toMatch(said);
    expect(stdout).not.toContain('Starting');
  });

  it('says to run npm ci where nobody did', () => {
    const root = mkdtempSync(join(tmpdir(), 'clone-'));
    mkdirSync(join(root, 'cdk', 'start'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"type": "module"}');
    const file = join('cdk', 'start', 'npm-start.js');
    copyFileSync(join(import.meta.dirname, '..', '..', '..', file), join(root, file));
    const { status, stderr } = spawnSync(process.execPath, [join(root, file)], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      'Run npm ci first: it installs Node 24 and the packages that npm start needs.\n',
    ]);
    rmSync(root, { recursive: true });
  });

  it('refuses a port that is none', async () => {
    const run = started({ PORT: 'many' });
    expect(await run.ended).toBe(1);
    expect(run.printed()).toContain('PORT must be a port number.');
  });
});
