import { expect, it } from 'vitest';
import { attemptEnd, attemptOf } from '../../../functions/webhooks/runs/attempt.ts';
import { claim, created } from '../../../functions/webhooks/runs/run-machine.ts';
import { leased } from '../../support/webhooks/run-states.ts';

const fresh = created({
  id: 'run_1',
  tenant: 'acme',
  eventId: 'event',
  ruleId: 'rule',
  module: 'dsar',
  trigger: 'DSAR starts',
  record: 'subject request: 1',
  idempotencyKey: 'key',
  createdAt: 1_000,
  configurationId: 'cfg',
  configurationName: 'Ours',
  targetUrl: 'https://example.com/',
  retryIntervalSeconds: 60,
  retryTimeoutSeconds: 30,
  maxAttempts: 1,
});
const step = claim(fresh, 1, { now: 1_000, token: 'mine' });
const run = leased('run' in step ? step.run : undefined);

const endAfter = (statusCode: number) =>
  attemptEnd(
    attemptOf(
      run,
      {
        kind: 'answered',
        statusCode,
        body: { bytes: new Uint8Array(), isTruncated: false },
        timings: { totalMillis: 1 },
      },
      { startedAt: 1_000, endedAt: 1_001 },
    ),
  );

it.each([200, 201, 204, 299])('an answer of %i is a success', (statusCode) => {
  expect(endAfter(statusCode)).toEqual({ succeeded: true, responseCode: statusCode });
});

it.each([300, 301, 304, 400, 410, 500])('an answer of %i is a failure', (statusCode) => {
  expect(endAfter(statusCode)).toEqual({ succeeded: false, responseCode: statusCode, error: 'http_status' });
});
