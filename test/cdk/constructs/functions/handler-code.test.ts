import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handlerCode } from '../../../../cdk/constructs/functions/handler-code.ts';
import { TEMPLATES_ONLY } from '../../../support/cloud/templates-only.ts';

const HANDLER = 'webhooks/rule-previews/rule-previews';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handler-code-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function synthesized(context: Record<string, unknown>) {
  const app = new App({ outdir: folder, context });
  const stack = new Stack(app, 'a');
  new LambdaFunction(stack, 'Modules', { runtime: Runtime.NODEJS_24_X, ...handlerCode(stack, HANDLER) });
  app.synth();
  const assets = readdirSync(folder).filter((name) => name.startsWith('asset.'));
  const [{ Properties } = { Properties: {} }] = Object.values(
    Template.fromStack(stack).findResources('AWS::Lambda::Function'),
  );
  return { Properties, files: assets.flatMap((asset) => readdirSync(join(folder, asset))) };
}

describe('the code of a handler', () => {
  it.each([{}, { stage: 'prod', local: 'true' }])('is a bundle of its own where it may be deployed: %j', (context) => {
    const { Properties, files } = synthesized(context);
    expect(Properties).toMatchObject({ Handler: 'index.handler' });
    expect(files).toContain('index.mjs');
  });

  it('is not bundled where nothing is uploaded', () => {
    const { Properties, files } = synthesized(TEMPLATES_ONLY);
    expect(Properties).toMatchObject({ Handler: 'index.handler' });
    expect(files).not.toContain('index.mjs');
  });

  it('is in the folder that a local run names, so that its template is the same whatever the code is', () => {
    const { Properties, files } = synthesized({ local: true });
    expect(Properties).toMatchObject({
      Handler: `${HANDLER}.handler`,
      Code: { S3Bucket: 'local', S3Key: { Ref: 'FunctionsFolder' } },
    });
    expect(files).toEqual([]);
  });
});
