import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../../cdk/constructs/bundling/bundle.ts';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { invoke, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { printedPdf, writeReader } from '../../../support/images/picture-reader.ts';
import { polled } from '../../../support/runner/machine-time.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.cache');
let folder: string;
let receipt: string;
let cloud: Cloud;

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'reader-'));
  receipt = join(folder, 'receipt.pdf');
  writeFileSync(receipt, printedPdf('GRAND TOTAL 15.35'));
  writeReader(join(folder, 'reader.handler.ts'));
  const code = Code.fromAsset(bundle(join(folder, 'reader.handler.ts'), join(folder, 'bundle')));
  cloud = await startLocalCloud({
    app: (outdir) => {
      const app = new App({ outdir, context: { 'aws:cdk:disable-asset-staging': true } });
      const stack = new Stack(app, 'test');
      for (const [functionName, seconds] of [
        ['Reader', 60],
        ['Hasty', 2],
      ] as const) {
        new LambdaFunction(stack, functionName, {
          functionName,
          runtime: Runtime.NODEJS_24_X,
          code,
          handler: 'index.handler',
          memorySize: 2_048,
          timeout: Duration.seconds(seconds),
        });
      }
      return app;
    },
  });
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

const readings = () => cloud.logsOf('Reader').filter(({ message }) => message === 'reading').length;
const endedBy = (reason: string) => ({
  error: 'Unhandled',
  payload: { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining(reason) },
});
const read = () => invoke(cloud, 'Reader', receipt);
const readsOn = async () => expect((await read()).payload).toEqual(['GRAND', 'TOTAL', '15.35']);

describe('a function with native packages', () => {
  it('reads pictures in several copies at the same time, with the packages of the project', async () => {
    const answers = await Promise.all(isThorough ? [read(), read(), read()] : [read(), read()]);
    for (const { payload } of answers) expect(payload).toEqual(['GRAND', 'TOTAL', '15.35']);
  });

  it('takes nothing down with it when it is killed while it reads, however often', async () => {
    for (let time = 0; time < (isThorough ? 20 : 2); time += 1) {
      const before = readings();
      const reading = invoke(cloud, 'Reader', { forever: receipt });
      // At another moment of the reading each time.
      await polled(readings, (lines) => lines > before + (time % 4));
      expect(await cloud.faults.killRunning('Reader')).toBe(1);
      expect(await reading).toMatchObject(endedBy('signal: killed'));
    }
    await readsOn();
  });

  it('takes nothing down with it when it exceeds its time while it reads', async () => {
    const { payload } = await invoke(cloud, 'Hasty', { forever: receipt });
    expect(payload).toMatchObject({ errorType: 'Sandbox.Timedout' });
    if (isThorough) await readsOn();
  });

  it('takes nothing down with it when native code aborts', async () => {
    expect(await invoke(cloud, 'Reader', { abort: true })).toMatchObject(endedBy('signal: aborted'));
    if (isThorough) await readsOn();
  });

  it('has no variable of the process that runs it', async () => {
    const { payload } = await invoke(cloud, 'Reader', { environment: true });
    expect(payload).toMatchObject({ AWS_LAMBDA_FUNCTION_NAME: 'Reader' });
    for (const name of ['PATH', 'HOME', 'VITEST']) expect(payload).not.toHaveProperty(name);
  });
});
