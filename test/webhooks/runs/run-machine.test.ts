import { describe, expect, it } from 'vitest';
import { sweepDecision } from '../../../functions/webhooks/deliveries/sweep-decision.ts';
import {
  isLeased,
  type LeasedRun,
  type ParkedRun,
  type Run,
  type WaitingRun,
} from '../../../functions/webhooks/runs/run.ts';
import type * as machine from '../../../functions/webhooks/runs/run-machine.ts';
import {
  type Claim,
  claim,
  created,
  failed,
  finish,
  parked,
  unparked,
} from '../../../functions/webhooks/runs/run-machine.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { waiting } from '../../support/webhooks/run-states.ts';
import { type Bounds, STEPS, search } from './run-search.ts';

const SMALL: Bounds = { maxAttempts: 2, retryIntervalSeconds: 60, workers: 1, crashes: 1, duplicates: 1, losses: 1 };
const NOW = Date.parse('2026-11-21T10:00:00.000Z');

const run = (changes: Partial<WaitingRun> = {}): WaitingRun => ({
  ...created({
    id: 'run_1',
    tenant: 'acme',
    eventId: 'event',
    ruleId: 'rule',
    module: 'dsar',
    trigger: 'DSAR starts',
    record: 'subject request: 1',
    idempotencyKey: 'key',
    createdAt: NOW,
    configurationId: 'cfg',
    configurationName: 'Ours',
    targetUrl: 'https://example.com/',
    retryIntervalSeconds: 60,
    retryTimeoutSeconds: 30,
    maxAttempts: 3,
  }),
  ...changes,
});

function claimed(of: Run, attempt: number, now: number, token = 'mine'): LeasedRun {
  const decision: Claim = claim(of, attempt, { now, token });
  if (decision.kind !== 'attempt') throw new Error(`It was ${decision.kind}.`);
  return decision.run;
}

describe('in every order of steps, crashes, duplicates and losses, a run', () => {
  const narrow: Partial<Bounds>[] = [
    // One that is slower than its lease is taken for lost without a crash.
    { maxAttempts: 1, workers: 2 },
    { maxAttempts: 3, duplicates: 0, losses: 0 },
    // As many as end an attempt.
    { maxAttempts: 1, crashes: 3 },
    { maxAttempts: 2, retryIntervalSeconds: 0 },
    // Parked because there is no room.
    { maxAttempts: 1, workers: 2, duplicates: 0, losses: 0, parkings: 1 },
    { maxAttempts: 1, parkings: 2 },
    // Retried at once by a person, while its message is delayed, doubled or lost.
    { retries: 1 },
    // Longer than a message can be delayed: only the sweeper brings it back.
    { retryIntervalSeconds: 3_600 },
  ];
  const wide: Partial<Bounds>[] = [
    { maxAttempts: 2, losses: 0, parkings: 1 },
    { maxAttempts: 2, workers: 2, duplicates: 0, losses: 0 },
    { maxAttempts: 3 },
    { maxAttempts: 2, crashes: 2, retryIntervalSeconds: 0 },
    { maxAttempts: 1, workers: 2, parkings: 2 },
    { maxAttempts: 2, parkings: 2 },
    { maxAttempts: 3, retries: 2, losses: 0 },
    { maxAttempts: 2, retries: 1, workers: 2, duplicates: 0, losses: 0 },
  ];

  it.each(isThorough ? [...narrow, ...wide] : narrow)(
    'ends, within its attempts, completed only by a success, with every POST in the log: %o',
    (bounds) => {
      const findings = search({ ...SMALL, ...bounds });
      expect(findings.violations).toEqual([]);
      expect(findings.stuck).toEqual([]);
      expect(findings.states).toBeGreaterThan(1_000);
    },
    60_000,
  );

  it('is posted once for each attempt when nothing goes wrong', () => {
    const findings = search({ ...SMALL, crashes: 0, duplicates: 0, losses: 0 });
    expect(findings.mostPosts).toBe(2);
  });
});

describe('the search notices', () => {
  it('that without a sweeper a lost message leaves a run for ever', () => {
    expect(search(SMALL, { sweeper: false }).stuck.length).toBeGreaterThan(0);
  });

  it('that a finish without a check of the lease changes an end', () => {
    const careless = {
      ...STEPS,
      finish: (of: Run, _token: string, end: machine.AttemptEnd, now: number) =>
        finish({ ...of, status: 'IN_PROGRESS', nextSweepAt: 0, lease: { token: 'any', until: 0 } }, 'any', end, now),
    };
    const until = 'an end changed';
    const { violations } = search({ ...SMALL, workers: 2, duplicates: 0, losses: 0 }, { machine: careless, until });
    expect(violations.map(({ what }) => what)).toContain(until);
  });

  it('that without a sweeper a parked run is started and never sent when its starter dies', () => {
    const bounds = { ...SMALL, maxAttempts: 1, duplicates: 0, losses: 0, parkings: 1 };
    const { stuck } = search(bounds, { sweeper: false });
    expect(stuck.filter(({ run: of }) => of.status === 'CREATED' && 'slotWaitSince' in of)).not.toEqual([]);
    expect(search(bounds).stuck).toEqual([]);
  });

  it('that a parked run which forgets that its attempt was lost makes one attempt too many', () => {
    const forgetful = {
      ...STEPS,
      parked: (of: Run, now: number) => {
        const { isRepeat: _, ...rest }: ParkedRun = parked(of, now) ?? ({} as ParkedRun);
        return 'isParked' in rest ? rest : undefined;
      },
    };
    const bounds = { ...SMALL, maxAttempts: 1, duplicates: 0, losses: 0, parkings: 1 };
    const until = 'more attempts than allowed';
    const { violations } = search(bounds, { machine: forgetful, until });
    expect(violations.map(({ what }) => what)).toContain(until);
    expect(search(bounds).violations).toEqual([]);
  });

  it('that a takeover which does not look for the line of the lost attempt posts it again', () => {
    const bounds = { ...SMALL, maxAttempts: 1, losses: 0 };
    const until = 'it was posted again although the outcome was recorded';
    const { violations } = search(bounds, { looksForLine: false, until });
    expect(violations.map(({ what }) => what)).toContain(until);
    expect(search(bounds).violations).toEqual([]);
  });

  it('that a worker which was taken for lost and whose line counts all the same posted in vain', () => {
    const bounds = { ...SMALL, maxAttempts: 1, workers: 2, duplicates: 0, losses: 0 };
    const until = 'it was posted again although the outcome was recorded';
    const { violations } = search(bounds, { marksLate: false, until });
    expect(violations.map(({ what }) => what)).toContain(until);
    expect(search(bounds).violations).toEqual([]);
  });

  it('that a claim which leaves a lost attempt alone never ends', () => {
    const patient = {
      ...STEPS,
      claim: (of: Run, attempt: number, at: { now: number; token: string }): Claim =>
        isLeased(of) ? { kind: 'drop' } : claim(of, attempt, at),
    };
    expect(search(SMALL, { machine: patient }).stuck.length).toBeGreaterThan(0);
  });
});

describe('a claim', () => {
  it('begins the attempt that is due, for the timeout and 15 seconds more', () => {
    const next = claimed(run(), 1, NOW);
    expect(next).toMatchObject({ status: 'IN_PROGRESS', attempts: 1, lease: { token: 'mine', until: NOW + 45_000 } });
    for (const gone of ['nextAttemptAt', 'dispatchAttempt', 'slotWaitSince', 'isParked', 'isRepeat'])
      expect(next).not.toHaveProperty(gone);
  });

  it('sends an early message back for the time that is left, to the millisecond', () => {
    const early = run({ attempts: 1, status: 'IN_PROGRESS', nextAttemptAt: NOW + 1_234 });
    expect(claim(early, 2, { now: NOW, token: 'mine' })).toEqual({ kind: 'send', attempt: 2, delayMillis: 1_234 });
    expect(claimed(early, 2, NOW + 1_234).attempts).toBe(2);
  });

  it('repairs the message of the next attempt when an old one comes again', () => {
    const waits = run({ attempts: 1, status: 'IN_PROGRESS', nextAttemptAt: NOW + 5_000 });
    expect(claim(waits, 1, { now: NOW, token: 'mine' })).toEqual({ kind: 'send', attempt: 2, delayMillis: 5_000 });
  });

  it('leaves an attempt to the holder of its lease, and comes back to take it over when the lease has run out', () => {
    const held = claimed(run(), 1, NOW, 'theirs');
    expect(claim(held, 1, { now: NOW + 44_000, token: 'mine' })).toEqual({
      kind: 'send',
      attempt: 1,
      delayMillis: 1_000,
    });
    expect(claim(held, 1, { now: NOW + 45_000, token: 'mine' })).toMatchObject({
      kind: 'attempt',
      run: { attempts: 1, interruptions: 1, lease: { token: 'mine' } },
      interrupted: { attempt: 1, part: 0 },
    });
  });

  it('counts an attempt as failed when its worker was lost three times', () => {
    const held = { ...claimed(run(), 1, NOW), interruptions: 2 };
    expect(claim(held, 1, { now: NOW + 45_000, token: 'mine' })).toMatchObject({
      kind: 'give-up',
      run: { attempts: 1, status: 'IN_PROGRESS', error: 'interrupted', nextAttemptAt: NOW + 105_000 },
      interrupted: { attempt: 1, part: 2 },
    });
  });
});

describe('the end of an attempt', () => {
  const held = claimed(run(), 1, NOW);

  it('completes the run with a success', () => {
    const end = finish(held, 'mine', { succeeded: true, responseCode: 204 }, NOW + 300);
    expect(end).toMatchObject({ status: 'COMPLETED', responseCode: 204, completedAt: NOW + 300 });
    for (const gone of ['lease', 'nextSweepAt', 'error']) expect(end).not.toHaveProperty(gone);
  });

  it('waits exactly the interval after a failure, counted from its end', () => {
    const waits = finish(held, 'mine', { succeeded: false, responseCode: 500, error: 'http_status' }, NOW + 300);
    expect(waits).toMatchObject({
      status: 'IN_PROGRESS',
      nextAttemptAt: NOW + 60_300,
      dispatchAttempt: 2,
      error: 'http_status',
    });
  });

  it('leaves waits of more than a quarter of an hour to the sweeper, which comes in time', () => {
    const slow = { ...held, retryIntervalSeconds: 3_600 };
    const waits = waiting(finish(slow, 'mine', { succeeded: false, error: 'timeout' }, NOW));
    expect(waits.dispatchAttempt).toBeUndefined();
    expect(sweepDecision(waits, waits.nextSweepAt + 60_000)).toMatchObject({
      kind: 'send',
      attempt: 2,
      delayMillis: 780_000,
    });
  });

  it('fails the run after the last attempt', () => {
    const end = finish({ ...held, maxAttempts: 1 }, 'mine', { succeeded: false, error: 'timeout' }, NOW + 1);
    expect(end).toMatchObject({ status: 'FAILED', error: 'timeout', completedAt: NOW + 1 });
  });

  it('does not count when the lease was lost', () => {
    expect(finish(held, 'theirs', { succeeded: true }, NOW)).toBeUndefined();
  });
});

describe('the sweeper', () => {
  it('sends again what was never claimed, later and later', () => {
    let waits = run();
    const gaps: number[] = [];
    for (let now = waits.nextSweepAt; gaps.length < 6; now = waits.nextSweepAt) {
      const findings = sweepDecision(waits, now);
      if (findings.kind !== 'send') throw new Error('It sent nothing.');
      expect(findings).toMatchObject({ attempt: 1, delayMillis: 0 });
      waits = { ...waits, ...findings.next };
      gaps.push((waits.nextSweepAt - now) / 1000);
    }
    expect(gaps).toEqual([60, 120, 240, 480, 900, 900]);
  });

  it('leaves alone what is being attempted, and what has ended', () => {
    const held = claimed(run(), 1, NOW);
    expect(sweepDecision(held, NOW + 44_999)).toEqual({ kind: 'nothing' });
    expect(sweepDecision(held, NOW + 45_000)).toMatchObject({ kind: 'send', attempt: 1 });
    expect(sweepDecision(finish(held, 'mine', { succeeded: true }, NOW)!, NOW + 90_000)).toEqual({ kind: 'nothing' });
  });
});

describe('a run that is not being attempted', () => {
  it('is parked when it is due and there is no room, without using up an attempt', () => {
    const waits = run({ attempts: 1, status: 'IN_PROGRESS', nextAttemptAt: NOW + 60_000, dispatchAttempt: 2 });
    expect(parked(waits, NOW + 59_999)).toBeUndefined();
    const parks = parked(waits, NOW + 61_000);
    expect(parks).toMatchObject({ attempts: 1, nextAttemptAt: NOW + 60_000, slotWaitSince: NOW + 61_000 });
    // No message is sent for it.
    expect(parks).not.toHaveProperty('dispatchAttempt');
    expect(claim(parks!, 2, { now: NOW + 62_000, token: 'mine' })).toEqual({ kind: 'parked' });
    expect(sweepDecision(parks!, NOW + 86_400_000)).toEqual({ kind: 'nothing' });
    expect(parked(parks!, NOW + 62_000)).toBeUndefined();
    const starts = unparked(parks!, NOW + 90_000);
    expect(claimed(starts, 2, NOW + 90_100)).toMatchObject({ attempts: 2, interruptions: 0 });
    expect(starts.nextSweepAt).toBe(NOW + 110_000);
  });

  it('is parked with an attempt whose worker was lost, and makes that attempt once more', () => {
    const held = { ...claimed(run(), 1, NOW), interruptions: 1 };
    expect(parked(held, NOW + 44_999)).toBeUndefined();
    const parks = parked(held, NOW + 45_000)!;
    expect(parks).toMatchObject({ status: 'IN_PROGRESS', attempts: 1, nextAttemptAt: NOW + 45_000 });
    // The worker that was lost changes nothing any more.
    expect(finish(parks, 'mine', { succeeded: true }, NOW + 46_000)).toBeUndefined();
    const again = claimed(unparked(parks, NOW + 50_000), 1, NOW + 50_000);
    expect(again).toMatchObject({ attempts: 1, interruptions: 2 });
  });

  it('fails when there was no room for three days, which count from the first time and not from when it was due', () => {
    const days = (count: number) => count * 86_400_000;
    // Our own workers stood still for four days.
    const late = NOW + days(4);
    const first = parked(run(), late)!;
    expect(first.slotWaitSince).toBe(late);
    // It was started, and found no room again.
    const second = parked(unparked(first, late + days(3)), late + days(3))!;
    expect(second.slotWaitSince).toBe(late);
    expect(claim(second, 1, { now: late + days(3), token: 'mine' })).toEqual({ kind: 'parked' });
    const over = late + days(3) + 1;
    for (const of of [second, unparked(second, over)]) {
      expect(claim(of, 1, { now: over, token: 'mine' })).toMatchObject({
        kind: 'end',
        run: { status: 'FAILED', error: 'endpoint_unresponsive', attempts: 0 },
      });
    }
    expect(second.nextSweepAt).toBeGreaterThan(over);
    expect(sweepDecision(second, second.nextSweepAt)).toMatchObject({ kind: 'send', attempt: 1, delayMillis: 0 });
  });

  it('may fail for good, but not while an attempt is made', () => {
    expect(failed(run(), 'config_missing', NOW)).toMatchObject({
      status: 'FAILED',
      error: 'config_missing',
      attempts: 0,
    });
    expect(failed(claimed(run(), 1, NOW), 'config_missing', NOW)).toBeUndefined();
  });
});
