import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, eventually, functionOf, invoke, startLocalCloud } from '../../../support/cloud/local-cloud.ts';

const COUNTING = `export const handler = async (event) => {
  console.log('attempt');
  if (event.fail) throw new Error('no');
  return 'fine';
};`;

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startLocalCloud({
    app: appOf((stack) => {
      functionOf(stack, 'Plain', COUNTING);
    }),
  });
});
afterAll(() => cloud.close());

const emit = (name: string, event: unknown) => invoke(cloud, cloud.functionName(name), event, 'Event');
const attempts = (name: string) => cloud.logsOf(name).filter(({ message }) => message === 'attempt').length;

describe('an event that nobody waits for', () => {
  it('is tried three times in all', async () => {
    const before = attempts('Plain');
    await emit('Plain', { fail: true });
    await eventually(
      cloud,
      () => attempts('Plain'),
      (count) => count === before + 3,
    );
    await eventually(
      cloud,
      () => cloud.pendingEvents,
      (count) => count === 0,
    );
    expect(attempts('Plain')).toBe(before + 3);
  });

  it('survives a throttle without losing an attempt', async () => {
    const before = attempts('Plain');
    cloud.faults.throttle('Plain', 2);
    await emit('Plain', {});
    await eventually(
      cloud,
      () => attempts('Plain'),
      (count) => count === before + 1,
    );
  });

  it('is tried as often as configured, and given up aloud', async () => {
    const lines: string[] = [];
    const once = await startLocalCloud({
      app: appOf((stack) => void functionOf(stack, 'Once', COUNTING, { retryAttempts: 0 })),
      report: (line) => lines.push(line),
    });
    await invoke(once, once.functionName('Once'), { fail: true }, 'Event');
    await once.settled();
    expect(once.pendingEvents).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^test\/Once gave up an event: Error: no/));
    await once.close();
  });
});

describe('an event accepted before the end of a run', () => {
  it('is handled by the next run', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
    const app = appOf((stack) => void functionOf(stack, 'Plain', COUNTING));
    const first = await startLocalCloud({ app, dataDir, asyncRetryDelaysSeconds: [3600] });
    await invoke(first, first.functionName('Plain'), { fail: true }, 'Event');
    await first.settled();
    expect(first.pendingEvents).toBe(1);
    await first.close();

    const second = await startLocalCloud({ app, dataDir });
    await second.settled();
    expect(second.pendingEvents).toBe(0);
    expect(second.logsOf('Plain').filter(({ message }) => message === 'attempt')).toHaveLength(2);
    await second.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('a function with a destination or a dead-letter queue', () => {
  it('is refused at the start, by the name of the property', async () => {
    const started = (options: (failures: Queue) => object) =>
      startLocalCloud({
        app: appOf((stack) => void functionOf(stack, 'Plain', COUNTING, options(new Queue(stack, 'Failures')))),
      });
    await expect(started((failures) => ({ onFailure: new SqsDestination(failures) }))).rejects.toThrow(
      'DestinationConfig: the local cloud does not have it',
    );
    await expect(started((deadLetterQueue) => ({ deadLetterQueue }))).rejects.toThrow(
      'DeadLetterConfig: the local cloud does not have it',
    );
  });
});
