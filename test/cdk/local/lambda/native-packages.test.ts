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
      new LambdaFunction(new Stack(app, 'test'), 'Reader', {
        functionName: 'Reader',
        runtime: Runtime.NODEJS_24_X,
        code,
        handler: 'index.handler',
        memorySize: 2_048,
        timeout: Duration.seconds(60),
      });
      return app;
    },
  });
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = () => invoke(cloud, 'Reader', receipt);

describe('a function with native packages', () => {
  it('reads pictures in several copies at the same time, with the packages of the project', async () => {
    const answers = await Promise.all(isThorough ? [read(), read(), read()] : [read(), read()]);
    for (const { payload } of answers) expect(payload).toEqual(['GRAND', 'TOTAL', '15.35']);
  });

  it('that is killed while it reads takes nothing down with it, and reads again', async () => {
    const reading = invoke(cloud, 'Reader', { forever: receipt });
    await polled(
      () => cloud.faults.killRunning('Reader'),
      (killed) => killed > 0,
    );
    expect((await reading).error).toBe('Unhandled');
    expect((await read()).payload).toEqual(['GRAND', 'TOTAL', '15.35']);
  });
});
