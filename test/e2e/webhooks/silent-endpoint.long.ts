import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsOf } from '../../../cdk/settings.ts';
import {
  fullySilentFrom,
  killDeliveries,
  mostAtATime,
  postsByKey,
  type SilentBacklog,
  silentBacklog,
} from '../../support/webhooks/silent-endpoint.ts';
import { faultsOf, type StoredRun, storedRuns } from '../../support/webhooks/storm-audit.ts';

const { attemptsPerConfiguration, attemptsWhileSilent } = settingsOf(new App());

it.each([30, 300])('%i runs of a silent endpoint fail by its timeouts', async (runs) => {
  const backlog = await silentBacklog(runs);
  try {
    // About as many seconds as runs if no slot is ever empty, as `parking.dynamodb.test.ts` shows by the clock.
    process.stdout.write(`${runs} runs: ${(await backlog.ended()).toFixed(0)} s\n`);
    expect(await backlog.statuses()).toEqual({ timeout: runs });
  } finally {
    await backlog.close();
  }
});

describe('when workers die', () => {
  const RUNS = 30;
  const KILLS = 6;
  /** A POST may be read so much later than it was sent, on a busy machine. */
  const LAG_MILLIS = 1_000;
  let backlog: SilentBacklog;
  let silentFrom: number;
  const runs: StoredRun[] = [];

  beforeAll(async () => {
    backlog = await silentBacklog(RUNS);
    silentFrom = await backlog.silentFrom();
    await killDeliveries(backlog, KILLS);
    await backlog.ended();
    for await (const run of storedRuns(backlog.table)) runs.push(run);
  });
  afterAll(() => backlog?.close());

  it('every run of a silent endpoint fails by its timeouts', async () => {
    expect(await backlog.statuses()).toEqual({ timeout: RUNS });
    expect(runs.flatMap(({ attempts }) => attempts).filter(({ outcome }) => outcome === 'interrupted')).not.toEqual([]);
  });

  it('every POST of a silent endpoint is in the log of its run, and none came after the end of the run', () => {
    const posts = postsByKey(backlog);
    expect(new Set(runs.map(({ run }) => run.idempotencyKey))).toEqual(new Set(posts.keys()));
    const faults = runs.flatMap((stored) => {
      const seen = posts.get(stored.run.idempotencyKey) ?? [];
      const what = {
        keys: new Set([stored.run.idempotencyKey]),
        bodies: new Set(seen.map(({ body }) => body.toString())),
        posts: seen.map(({ at }, number) => ({ number, status: undefined, at: at.getTime() })),
      };
      return [...faultsOf(stored, what, { lagMillis: LAG_MILLIS })];
    });
    expect(faults).toEqual([]);
  });

  it('an endpoint has no more POSTs at a time than slots, and fewer once it is silent', () => {
    const { posts } = backlog.receiver;
    expect(mostAtATime(posts)).toBeGreaterThan(attemptsWhileSilent);
    expect(mostAtATime(posts)).toBeLessThanOrEqual(attemptsPerConfiguration);
    expect(mostAtATime(posts, fullySilentFrom(silentFrom))).toBeGreaterThan(0);
    expect(mostAtATime(posts, fullySilentFrom(silentFrom))).toBeLessThanOrEqual(attemptsWhileSilent);
  });
});
