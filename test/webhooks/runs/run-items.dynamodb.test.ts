import { describe, expect, it } from 'vitest';
import { runIn, runItem } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { claim, created, finish, parked, unparked } from '../../../functions/webhooks/runs/run-machine.ts';
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
const parks = parked(fresh, 1_000)!;
const starts = unparked(parks, 2_000);
const step = claim(fresh, 1, { now: 1_000, token: 'mine' });
const held = leased('run' in step ? step.run : undefined);
const ended = finish(held, 'mine', { succeeded: false, error: 'timeout' }, 3_000)!;

describe('the item of a run', () => {
  it.each([
    ['new', fresh],
    ['parked', parks],
    ['started', starts],
    ['attempted', held],
    ['ended', ended],
  ])('that is %s is read as it was written', (_what, run) => {
    expect(runIn(runItem(run, 0))).toEqual(run);
  });

  it('is in the index of the sweeper until the run has ended, and then has the outcome', () => {
    for (const run of [fresh, parks, starts, held]) {
      expect(runItem(run, 0)).toMatchObject({ due: expect.any(String), nextSweepAt: run.nextSweepAt });
      expect(runItem(run, 0)).not.toHaveProperty('outcome');
    }
    expect(runItem(ended, 0)).toMatchObject({ outcome: 'FAILED' });
    for (const gone of ['due', 'nextSweepAt']) expect(runItem(ended, 0)).not.toHaveProperty(gone);
  });

  it('is in the index of parked runs while it is parked, by configuration and the time at which it was due', () => {
    expect(runItem(parks, 0)).toMatchObject({ parked: 'PARKED#acme#cfg', nextAttemptAt: 1_000 });
    for (const run of [fresh, starts, held, ended]) expect(runItem(run, 0)).not.toHaveProperty('parked');
  });

  it.each([
    ['waits without a time', { ...runItem(fresh, 0), nextAttemptAt: undefined }],
    ['is never looked at', { ...runItem(held, 0), nextSweepAt: undefined }],
    ['is attempted before its first attempt', { ...runItem(held, 0), status: 'CREATED' }],
    ['has a lease without a token', { ...runItem(held, 0), lease: { until: 1 } }],
    ['ended without a time', { ...runItem(ended, 0), completedAt: undefined }],
    ['ended and goes on', { ...runItem(ended, 0), status: 'IN_PROGRESS' }],
  ])('that %s is of no run', (_what, item) => {
    expect(() => runIn(item)).toThrow();
  });
});
