/** A local cloud for tests: in memory, on free ports, with quick retries. Close it when done. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Code, type FunctionProps, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type Cloud, type CloudOptions, startCloud } from '../../../cdk/local/cloud.ts';
import { noteServiceLine } from '../runner/circumstances.ts';
import { ownTables } from './own-tables.ts';
import { signedPost } from './signed-call.ts';

export type LocalCloudOptions = Partial<CloudOptions> &
  ({ readonly assemblyDir: string } | { readonly app: (outdir: string) => App | Promise<App> });

/**
 * Starts an assembly, or an app that is synthesized for this. Failed messages come back at once and asynchronous
 * invocations are tried again at once: a test must not wait for AWS's minutes.
 */
export async function startLocalCloud(options: LocalCloudOptions): Promise<Cloud> {
  const folder = await mkdtemp(join(tmpdir(), 'local-cloud-'));
  try {
    const cloud = await startCloud({
      failedMessagesReturnAfterSeconds: 0,
      asyncRetryDelaysSeconds: [0],
      // A test that calls most functions one after the other would start each of them anew: twice the processor time.
      threads: 64,
      // On a busy machine a file lasts for minutes, in which a function that starts anew would do so for nothing.
      idleSeconds: 600,
      spareSeconds: 600,
      report: noteServiceLine,
      echoErrors: true,
      ...ownTables(options.dataDir),
      ...options,
      assemblyDir: 'app' in options ? await synthesized(options.app, folder) : options.assemblyDir,
    });
    const { close } = cloud;
    // Not spread: some of its facts change.
    return Object.assign(cloud, {
      async close() {
        await close();
        await rm(folder, { recursive: true, force: true });
      },
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function synthesized(make: (outdir: string) => App | Promise<App>, folder: string): Promise<string> {
  const app = await make(folder);
  return app.synth().directory;
}

/** The options of an AWS client that calls the cloud as the account's owner. */
export function clientOptions({ awsUrl, region, credentials }: Pick<Cloud, 'awsUrl' | 'region' | 'credentials'>) {
  return { endpoint: awsUrl, region, credentials };
}

type FunctionOptions = Partial<Omit<FunctionProps, 'code' | 'handler' | 'runtime'>>;

/** A function of one module, `index.mjs`, given as text. */
export function functionOf(
  scope: Construct,
  id: string,
  source: string,
  options: FunctionOptions = {},
): LambdaFunction {
  const folder = mkdtempSync(join(tmpdir(), 'function-'));
  writeFileSync(join(folder, 'index.mjs'), source);
  return new LambdaFunction(scope, id, {
    timeout: Duration.seconds(10),
    ...options,
    code: Code.fromAsset(folder),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
  });
}

/** An import statement that works in a bundle outside the project. */
export function importing(names: string, module: string): string {
  return `import { ${names} } from ${JSON.stringify(import.meta.resolve(module))};`;
}

/** An app of one stack, `test`. */
export function appOf(fill: (stack: Stack) => void): (outdir: string) => App {
  return (outdir) => {
    const app = new App({ outdir });
    fill(new Stack(app, 'test'));
    return app;
  };
}

/** Calls a function through the Lambda API, as the account's owner. */
export async function invoke(cloud: Cloud, functionName: string, event: unknown, type = 'RequestResponse') {
  const response = await signedPost({
    ...clientOptions(cloud),
    service: 'lambda',
    path: `/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
    headers: { 'content-type': 'application/json', 'x-amz-invocation-type': type },
    body: JSON.stringify(event),
  });
  const text = await response.text();
  return {
    status: response.status,
    error: response.headers.get('x-amz-function-error'),
    payload: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

/**
 * Moves the clock when nothing is under way, since calls that were signed before would be refused, and lets what becomes
 * due end.
 */
export async function later({ clock, settled }: Pick<Cloud, 'clock' | 'settled'>, millis: number): Promise<void> {
  await settled();
  clock.advance(millis);
  await settled();
}

/** How far the clock is moved at most. What takes longer, a test lets happen by moving the clock itself. */
const AHEAD_MILLIS_MAX = 10 * 60_000;

/**
 * Lets the cloud do all that it can, and moves its clock from one thing that it waits for to the next, until the
 * condition holds. Fails with the last value seen if it never does.
 */
export async function eventually<T>(
  { clock, settled }: Pick<Cloud, 'clock' | 'settled'>,
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean,
): Promise<T> {
  const end = clock.millis() + AHEAD_MILLIS_MAX;
  for (;;) {
    await settled();
    const seen = await look();
    if (isSo(seen)) return seen;
    const next = clock.nextAt;
    if (next === undefined || next > end) {
      const due = next === undefined ? 'nothing is due' : `the next thing is due in ${next - clock.millis()} ms`;
      throw new Error(`It did not happen; last seen: ${JSON.stringify(seen)}; ${due}`);
    }
    clock.advance(Math.max(0, next - clock.millis()));
  }
}
