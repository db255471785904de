import { App } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { settingsOf } from '../../../cdk/settings.ts';
import { killDeliveries, silentBacklog } from '../../support/webhooks/silent-endpoint.ts';

const { attemptsWhileSilent } = settingsOf(new App());
const ATTEMPTS = 2;
const TIMEOUT_SECONDS = 1;
/** A minute for a small backlog, kills and all; for a large one the time of its attempts, and half a minute. */
const secondsFor = (runs: number) => Math.max(60, (runs * ATTEMPTS * TIMEOUT_SECONDS) / attemptsWhileSilent + 30);

it.each([
  { runs: 30, kills: 0 },
  { runs: 30, kills: 6 },
  { runs: 300, kills: 0 },
])('$runs runs of a silent endpoint fail in time, with $kills kills', async ({ runs, kills }) => {
  const backlog = await silentBacklog(runs);
  try {
    await killDeliveries(backlog, kills);
    const seconds = await backlog.ended(runs, secondsFor(runs));
    process.stdout.write(`${runs} runs, ${kills} kills: ${seconds.toFixed(1)} of ${secondsFor(runs)} s\n`);
    expect(await backlog.statuses()).toEqual({ timeout: runs });
  } finally {
    await backlog.close();
  }
});
