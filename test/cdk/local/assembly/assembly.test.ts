import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAssembly } from '../../../../cdk/local/assembly/assembly.ts';
import { functionOf } from '../../../support/cloud/local-cloud.ts';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'assembly-'));
});
afterEach(() => rmSync(outdir, { recursive: true }));

describe('an assembly', () => {
  it('has its stacks with the producers first, their assets and the paths of their constructs', () => {
    const app = new App({ outdir });
    const consumer = new Stack(app, 'a-consumer');
    const producer = new Stack(app, 'b-producer', { stackName: 'named' });
    const queue = new Queue(producer, 'Queue');
    functionOf(consumer, 'Function', 'export const handler = 1;', { environment: { QUEUE: queue.queueUrl } });
    app.synth();

    const stacks = readAssembly(outdir);
    expect(stacks.map(({ name }) => name)).toEqual(['named', 'a-consumer']);
    const [, stack] = stacks;
    const lambda = Object.entries(stack?.template.Resources ?? {}).find(
      ([, { Type }]) => Type === 'AWS::Lambda::Function',
    );
    const { S3Key = '' } = (lambda?.[1].Properties['Code'] ?? {}) as { S3Key?: string };
    expect(stack?.assetFolder(S3Key)).toBe(join(outdir, `asset.${S3Key.replace('.zip', '')}`));
    expect(stack?.pathOf(lambda?.[0] ?? '')).toBe('a-consumer/Function');
    expect(() => stack?.assetFolder('other.zip')).toThrow(
      'The asset other.zip of the stack a-consumer is not in the assembly.',
    );
  });

  it('must be one', () => {
    expect(() => readAssembly(outdir)).toThrow('is no cloud assembly: it has no manifest.json.');
  });

  it('may have no stages', () => {
    const app = new App({ outdir });
    new Queue(new Stack(new Stage(app, 'Stage'), 'Stack'), 'Queue');
    app.synth();
    expect(() => readAssembly(outdir)).toThrow('The app has CDK stages.');
  });
});
