import { describe, expect, it } from 'vitest';
import { configurationScreen } from '../../../functions/console/configurations/configuration.screens.tsx';
import { recentDeliveries } from '../../../functions/console/configurations/recent-deliveries.ts';
import type { Run } from '../../../functions/console/runs/run-answers.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';
import { runAnswer } from '../../support/console/run-answers.ts';

const good = (durationMs: number) => runAnswer({ durationMs });
const bad = (own: Partial<Run> = {}) =>
  runAnswer({ status: 'FAILED', error: 'http_status', responseCode: 503, durationMs: 90_000, ...own });
const running = runAnswer({ status: 'IN_PROGRESS', completedAt: null, durationMs: null });

describe('the figures of the newest deliveries', () => {
  it('count runs that have ended, and time those that were delivered', () => {
    const runs = [running, ...Array.from({ length: 98 }, (_, n) => good(n + 1)), bad(), good(99)];
    expect(recentDeliveries(runs)).toMatchObject({
      ended: 100,
      completed: 99,
      successRate: '99%',
      median: 50,
      percentile95: 95,
      failing: undefined,
    });
    expect(recentDeliveries([running])).toBeUndefined();
  });

  it('never round up to 100%', () => {
    const runs = [bad(), ...Array.from({ length: 1_999 }, () => good(1))];
    expect(recentDeliveries(runs)?.successRate).toBe('99.9%');
    expect(recentDeliveries([good(1)])?.successRate).toBe('100%');
  });

  it('say since when', () => {
    const old = { ...good(1), triggeredAt: '2026-11-01T00:00:00.000Z' };
    expect(recentDeliveries([good(1), old])?.since).toBe(old.triggeredAt);
  });

  it.each([
    [[bad(), bad(), good(1)], undefined],
    [[running, bad(), bad(), bad(), good(1), bad()], 3],
    [[bad(), bad(), bad(), bad()], 4],
    [[good(1), bad(), bad(), bad()], undefined],
  ])('notice at least three failures in a row, up to the newest run (%#)', (runs, count) => {
    expect(recentDeliveries(runs)?.failing?.count).toBe(count);
  });
});

describe('the page of a configuration', () => {
  const stored = {
    id: 'cfg_1',
    name: 'Cases',
    targetUrl: 'https://cases.example.com/hooks',
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: 30,
    maxAttempts: 3,
    description: '',
    authentication: { type: 'none', secretSet: false },
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
  };
  const shown = (items: readonly Run[] | undefined) =>
    renderedScreen(configurationScreen, {
      path: { id: 'cfg_1' },
      answers: {
        'GET api-configurations/cfg_1': stored,
        'GET rules': { items: [] },
        ...(items && { 'GET runs': { items } }),
      },
    });

  it('shows success rate and times with their period, from one bounded query', async () => {
    const { text, calls } = await shown([good(200), good(400), bad()]);
    expect(text).toMatch(/Success rate 66\.6% \( ?2 of 3 ?\) Median time 200 ms 95% within 400 ms/);
    expect(text).toContain('The newest 3 runs that ended, since 23 Nov 10:00:00');
    expect(calls.filter(({ name }) => name === 'GET runs').map(({ query }) => query)).toEqual([
      { configuration: 'cfg_1', limit: '50' },
    ]);
    expect(text).not.toContain('deliveries failed');
  });

  it('has a notice with the cause when it keeps failing', async () => {
    const { text, links } = await shown([bad(), bad(), bad()]);
    expect(text).toContain('The last 3 deliveries failed. cases.example.com answered 503 Service Unavailable.');
    expect(links.get('View failed runs')).toContain('configuration=cfg_1&status=FAILED&resolved=false');
  });

  it('is shown without figures when the log cannot be read', async () => {
    const { status, text } = await shown(undefined);
    expect(status).toBe(200);
    expect(text).toContain('Deliveries');
  });
});
