import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../../cdk/constructs/bundling/bundle.ts';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, functionOf, invoke, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { LASTING, polled } from '../../../support/runner/machine-time.ts';

let cloud: Cloud;
const call = (name: string, event: unknown = {}) => invoke(cloud, cloud.functionName(name), event);

/** Lasts until there is a file of this name, and returns the number of calls of its copy. */
const PATIENT = `import { existsSync } from 'node:fs';
  const lasting = ${LASTING};
  let calls = 0;
  export const handler = async ({ until }) => {
    console.log('begun');
    while (until && !existsSync(until)) await lasting(5);
    return (calls += 1);
  };`;
const newMoment = () => join(mkdtempSync(join(tmpdir(), 'until-')), 'now');

beforeAll(async () => {
  cloud = await startLocalCloud({
    concurrency: 6,
    app: appOf((stack) => {
      functionOf(stack, 'Echo', 'let calls = 0; export const handler = async (event) => ({ event, calls: ++calls });');
      functionOf(stack, 'Counter', 'let calls = 0; export const handler = async () => (calls += 1);');
      functionOf(stack, 'Environment', 'export const handler = async () => ({ ...process.env });', {
        environment: { OWN: 'value', AWS_REGION_OF_MINE: 'x' },
        memorySize: 256,
      });
      functionOf(
        stack,
        'Context',
        `export const handler = async (event, context) => {
           const before = context.getRemainingTimeInMillis();
           return { ...context, before, trace: process.env._X_AMZN_TRACE_ID };
         };`,
        { timeout: Duration.seconds(7) },
      );
      functionOf(stack, 'Sleeper', `const lasting = ${LASTING}; export const handler = ({ ms }) => lasting(ms);`, {
        timeout: Duration.seconds(1),
      });
      functionOf(stack, 'Loop', 'export const handler = async () => { for (;;); };', { timeout: Duration.seconds(1) });
      functionOf(
        stack,
        'Thrower',
        `class OwnError extends Error { name = 'OwnError' }
         export const handler = async ({ what }) => { throw what === 'text' ? 'just text' : new OwnError('it broke'); };`,
      );
      functionOf(
        stack,
        'Dying',
        `let calls = 0;
         export const handler = async ({ how }) => {
           calls += 1;
           if (how === 'exit') process.exit(3);
           if (how === 'uncaught') { setImmediate(() => { throw new TypeError('nobody caught me'); }); await new Promise(() => {}); }
           if (how === 'rejection') { void Promise.reject(new Error('unhandled')); await new Promise(() => {}); }
           return calls;
         };`,
      );
      functionOf(
        stack,
        'Hungry',
        'export const handler = async () => { const all = []; for (;;) all.push(new Array(1_000_000).fill(all)); };',
        {
          memorySize: 128,
          timeout: Duration.seconds(60),
        },
      );
      functionOf(stack, 'Broken', 'throw new RangeError("cannot load");');
      functionOf(stack, 'Nameless', 'export const other = 1;');
      functionOf(stack, 'Callback', 'export const handler = (event, context, callback) => callback(null, 1);');
      functionOf(stack, 'Large', 'export const handler = async ({ bytes }) => "x".repeat(bytes - 2);');
      functionOf(stack, 'Circular', 'export const handler = async () => { const a = {}; a.a = a; return a; };');
      functionOf(stack, 'Nothing', 'export const handler = async () => undefined;');
      functionOf(
        stack,
        'Printer',
        `export const handler = async () => {
           console.log('plain', { a: 1 });
           console.error('bad');
           process.stdout.write(JSON.stringify({ level: 'WARN', message: 'own line', field: 7 }) + '\\n');
         };`,
      );
      const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
      const entry = join(folder, 'thrower.handler.ts');
      writeFileSync(entry, "\n\nexport const handler = async (): Promise<void> => {\n  throw new Error('mapped');\n};");
      for (const [id, isMapped] of [
        ['Mapped', true],
        ['Unmapped', false],
      ] as const) {
        const bundled = bundle(entry, join(folder, id));
        if (!isMapped) rmSync(join(bundled, 'index.mjs.map'));
        new LambdaFunction(stack, id, {
          runtime: Runtime.NODEJS_24_X,
          code: Code.fromAsset(bundled),
          handler: 'index.handler',
        });
      }
      functionOf(stack, 'Single', PATIENT, { reservedConcurrentExecutions: 1 });
      functionOf(stack, 'Patient', PATIENT);
      functionOf(stack, 'Crowd', PATIENT);
    }),
  });
});
afterAll(() => cloud.close());

describe('an invocation', () => {
  it('hands over the event and the result as JSON', async () => {
    expect(await call('Echo', { a: [1, null, 'ü'] })).toMatchObject({
      status: 200,
      error: null,
      payload: { event: { a: [1, null, 'ü'] } },
    });
  });

  it('uses a warm copy again', async () => {
    const first = (await call('Echo')).payload as { calls: number };
    const second = (await call('Echo')).payload as { calls: number };
    expect(second.calls).toBe(first.calls + 1);
  });

  it('ends with the old code if its function is reloaded meanwhile; the next one runs in a new copy', async () => {
    expect((await call('Patient', {})).payload).toBe(1);
    const until = newMoment();
    const underWay = call('Patient', { until });
    await polled(
      () => cloud.logsOf('Patient').length,
      (lines) => lines === 2,
    );
    cloud.reload(['index']);
    writeFileSync(until, '');
    expect((await underWay).payload).toBe(2);
    expect((await call('Patient', {})).payload).toBe(1);
  });

  it('runs in a new copy when its idle function was reloaded', async () => {
    await call('Counter');
    cloud.reload(['other', 'index']);
    expect((await call('Counter')).payload).toBe(1);
    cloud.reload(['other']);
    expect((await call('Counter')).payload).toBe(2);
  });

  it('answers null when the function returns nothing', async () => {
    expect((await call('Nothing')).payload).toBeNull();
  });

  it('is given the names, limits and remaining time that Lambda gives', async () => {
    const { payload } = await call('Context');
    expect(payload).toMatchObject({
      functionName: cloud.functionName('Context'),
      functionVersion: '$LATEST',
      invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${cloud.functionName('Context')}`,
      memoryLimitInMB: '128',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      trace: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};/),
    });
    const { before } = payload as { before: number };
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(7000);
  });
});

describe('the environment of a function', () => {
  it('holds its variables, what Lambda sets and nothing of the process that runs it', async () => {
    const { payload } = await call('Environment');
    expect(payload).toMatchObject({
      OWN: 'value',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: cloud.functionName('Environment'),
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_ENDPOINT_URL: cloud.awsUrl,
      AWS_ACCESS_KEY_ID: expect.stringMatching(/^ASIA[A-Z0-9]{16}$/),
      AWS_SECRET_ACCESS_KEY: expect.any(String),
      AWS_SESSION_TOKEN: expect.any(String),
    });
    expect(payload).not.toHaveProperty('PATH');
    expect(payload).not.toHaveProperty('VITEST');
  });
});

describe('a function that fails', () => {
  it('tells the type, message and trace of its error', async () => {
    expect(await call('Thrower')).toMatchObject({
      status: 200,
      error: 'Unhandled',
      payload: {
        errorType: 'OwnError',
        errorMessage: 'it broke',
        trace: expect.arrayContaining(['OwnError: it broke']),
      },
    });
  });

  it('may throw what is no error', async () => {
    expect((await call('Thrower', { what: 'text' })).payload).toEqual({
      errorType: 'string',
      errorMessage: 'just text',
      trace: [],
    });
  });

  it('is ended when it takes longer than its timeout', async () => {
    expect((await call('Sleeper', { ms: 60_000 })).payload).toMatchObject({
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(/^RequestId: [0-9a-f-]{36} Error: Task timed out after 1\.00 seconds$/),
    });
    expect((await call('Sleeper', { ms: 1 })).error).toBeNull();
  });

  it('is ended also when it never lets go of the processor', async () => {
    expect((await call('Loop')).payload).toMatchObject({ errorType: 'Sandbox.Timedout' });
  });

  it.each([
    ['exit', { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining('exit status 3') }],
    ['uncaught', { errorType: 'TypeError', errorMessage: 'nobody caught me' }],
    ['rejection', { errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: 'unhandled' }],
  ])('gives an error of Lambda when its process ends by %s, and starts cold next time', async (how, expected) => {
    expect((await call('Dying', { how })).payload).toMatchObject(expected);
    expect((await call('Dying')).payload).toBe(1);
  });

  it('is killed when it needs more memory than it has', async () => {
    expect((await call('Hungry')).payload).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining('signal: killed'),
    });
  });

  it('says why it cannot be loaded', async () => {
    expect((await call('Broken')).payload).toMatchObject({ errorType: 'RangeError', errorMessage: 'cannot load' });
    expect((await call('Nameless')).payload).toMatchObject({
      errorType: 'Runtime.HandlerNotFound',
      errorMessage: 'index.handler is undefined or not exported',
    });
    expect((await call('Callback')).payload).toMatchObject({ errorType: 'Runtime.CallbackHandlerDeprecated' });
  });

  it('may not return what is no JSON', async () => {
    expect((await call('Circular')).payload).toMatchObject({ errorMessage: 'Unable to stringify response body' });
  });
});

describe('payloads', () => {
  it('are refused above 6 MB on the way in', async () => {
    expect((await call('Echo', 'x'.repeat(6_291_456 - 2))).status).toBe(200);
    expect(await call('Echo', 'x'.repeat(6_291_456 - 1))).toMatchObject({
      status: 413,
      payload: { message: expect.stringContaining('6291456 bytes') },
    });
  });

  it('are an error above 6 MB on the way out', async () => {
    expect((await call('Large', { bytes: 6_291_556 })).error).toBeNull();
    expect((await call('Large', { bytes: 6_291_557 })).payload).toMatchObject({
      errorType: 'Function.ResponseSizeTooLarge',
    });
  });

  it('must be JSON', async () => {
    const { status } = await invoke(cloud, cloud.functionName('Echo'), undefined);
    expect(status).toBe(200);
  });
});

describe('concurrency', () => {
  it('is limited to what is reserved for a function', async () => {
    const until = newMoment();
    const underWay = call('Single', { until });
    await polled(
      () => cloud.logsOf('Single').length,
      (lines) => lines === 1,
    );
    expect(await call('Single', {})).toMatchObject({ status: 429, payload: { message: 'Rate Exceeded.' } });
    writeFileSync(until, '');
    expect((await underWay).payload).toBe(1);
  });

  it('of the others is what the account has left', async () => {
    // Six in the account, one of them reserved.
    const until = newMoment();
    const statuses: number[] = [];
    const calls = Array.from({ length: 7 }, async () => {
      statuses.push((await call('Crowd', { until })).status);
    });
    await polled(
      () => statuses.length,
      (answers) => answers === 2,
    );
    expect(statuses).toEqual([429, 429]);
    writeFileSync(until, '');
    await Promise.all(calls);
    expect(statuses.slice(2)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('what a function prints', () => {
  it('stands in its log with level and request', async () => {
    await call('Printer');
    const lines = cloud.logsOf('Printer').slice(-3);
    expect(lines).toMatchObject([
      { level: 'INFO', message: 'plain { a: 1 }', requestId: expect.any(String) },
      { level: 'ERROR', message: 'bad' },
      { level: 'WARN', message: 'own line', field: 7 },
    ]);
  });

  it('names lines of the source where the bundle has its map, and those of the bundle where it has not', async () => {
    for (const name of ['Mapped', 'Unmapped']) await call(name);
    const stack = (name: string) => JSON.stringify(cloud.logsOf(name).findLast(({ level }) => level === 'ERROR'));
    expect(stack('Mapped')).toMatch(/thrower\.handler\.ts:4:\d+/);
    expect(stack('Unmapped')).toMatch(/index\.mjs:\d+:\d+/);
  });

  it("is joined by its failures, each with Lambda's report of the call", async () => {
    await call('Thrower');
    await call('Sleeper', { ms: 60_000 });
    const report = (status: string) => ({ type: 'platform.report', record: { status, requestId: expect.any(String) } });
    expect(cloud.logsOf('Thrower').slice(-2)).toMatchObject([
      { level: 'ERROR', errorType: 'OwnError' },
      report('error'),
    ]);
    expect(cloud.logsOf('Sleeper').at(-1)).toMatchObject(report('timeout'));
  });
});

describe('the Lambda API', () => {
  it('knows no other functions', async () => {
    expect(await invoke(cloud, 'missing', {})).toMatchObject({ status: 404 });
  });

  it('answers 202 to an event that nobody waits for', async () => {
    expect(await invoke(cloud, cloud.functionName('Printer'), {}, 'Event')).toMatchObject({ status: 202 });
  });

  it('refuses such an event above 1 MB', async () => {
    expect((await invoke(cloud, cloud.functionName('Echo'), 'x'.repeat(1_048_576), 'Event')).status).toBe(413);
  });

  it('checks without running on a dry run', async () => {
    expect((await invoke(cloud, cloud.functionName('Thrower'), {}, 'DryRun')).status).toBe(204);
  });
});
