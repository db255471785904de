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
const ATTEMPTS = 2;
const TIMEOUT_SECONDS = 1;
/** A minute for a small backlog, kills and all; for a large one the time of its attempts, and half a minute. */
const secondsFor = (runs: number) => Math.max(60, (runs * ATTEMPTS * TIMEOUT_SECONDS) / attemptsWhileSilent + 30);

it.each([30, 300])('%i runs of a silent endpoint fail in time', async (runs) => {
  const backlog = await silentBacklog(runs);
  try {
    const seconds = await backlog.ended(runs, secondsFor(runs));
    process.stdout.write(`${runs} runs: ${seconds.toFixed(1)} of ${secondsFor(runs)} s\n`);
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
    await backlog.ended(RUNS, secondsFor(RUNS));
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
