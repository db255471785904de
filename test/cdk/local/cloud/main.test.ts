import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/local-cloud.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const READY = /^Ready http:\/\/localhost:(\d+)$/m;

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly printed: () => string;
}

const runs: Run[] = [];
afterEach(async () => {
  for (const { child, ended } of runs.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

function npmStart(settings: Record<string, string>): Run {
  const environment = { ...process.env, PORT: '0', LOCAL_AWS_PORT: '0', LOCAL_DATA_DIR: ':memory:', LOCAL_DEMO: '0' };
  const child = spawn(process.execPath, [join('cdk', 'local', 'main.ts')], {
    cwd: ROOT,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const run = { child, ended, printed: () => printed };
  runs.push(run);
  return run;
}

async function ready(run: Run): Promise<number> {
  const end = Date.now() + 100_000;
  while (!READY.test(run.printed())) {
    if (run.child.exitCode !== null || Date.now() > end) throw new Error(`It is not ready: ${run.printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Number(READY.exec(run.printed())?.[1]);
}

describe('npm start', { timeout: 120_000 }, () => {
  it('serves the API until Ctrl-C, two instances side by side, and ends cleanly', async () => {
    const instances = [npmStart({}), npmStart({})];
    const ports = await Promise.all(instances.map(ready));
    expect(new Set(ports).size).toBe(2);
    for (const port of ports) expect((await fetch(`http://localhost:${port}/no-such-route`)).status).toBe(404);
    for (const [i, { child, ended, printed }] of instances.entries()) {
      expect(printed().match(/^Ready/gm)).toHaveLength(1);
      child.kill(i === 0 ? 'SIGINT' : 'SIGTERM');
      expect(await ended).toBe(0);
    }
    const gone = new Promise((resolve) => connect(ports[0] ?? 0, '127.0.0.1').on('error', resolve));
    expect(await gone).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each(['PORT', 'LOCAL_AWS_PORT'])('says in a sentence that the port of %s is in use', async (name) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = npmStart({ [name]: String(port) });
    expect(await run.ended).toBe(1);
    expect(run.printed()).toContain(
      `Port ${port} is in use. Stop what listens there, or choose another one with ${name}.`,
    );
    expect(run.printed()).not.toContain('Ready');
    server.close();
  });

  it('refuses a port that is none', async () => {
    const run = npmStart({ PORT: 'many' });
    expect(await run.ended).toBe(1);
    await eventually(run.printed, (text) => text.includes('PORT must be a port number.'));
  });
});
