import { describe, expect, it } from 'vitest';
import { bulkReplayScreen } from '../../../functions/console/bulk-replays/bulk-replay.screens.tsx';
import { deliveryLog } from '../../../functions/console/runs/delivery-log.screen.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';
import { runAnswer } from '../../support/console/run-answers.ts';

const replay = {
  id: 'bulk_1',
  status: 'COMPLETED',
  filter: { from: '2026-11-20T00:00:00.000Z' },
  replayed: 1,
  skipped: 2,
  skippedBecause: { 'replays-spent': 2, resolved: 0 },
  reached: '2026-11-20T00:00:00.000Z',
  createdAt: '2026-11-23T11:50:00.000Z',
  completedAt: '2026-11-23T11:51:00.000Z',
};
const made = runAnswer({ id: 'run_b', record: 'incident: 9', replayOf: 'run_a', bulkReplay: 'bulk_1' });
const shown = (runs: unknown) =>
  renderedScreen(bulkReplayScreen, {
    path: { id: 'bulk_1' },
    answers: { 'GET replays/bulk_1': replay, 'GET runs': runs },
  });

describe('the page of a bulk replay', () => {
  it('lists the runs that it made, each with its original, and says why others were skipped', async () => {
    const { text, links, calls } = await shown({ items: [made] });
    expect(calls.find(({ name }) => name === 'GET runs')?.query).toMatchObject({
      bulkReplay: 'bulk_1',
      from: replay.createdAt,
    });
    expect(text).toMatch(/Completed incident: 9 run_b run_a/);
    expect(links.get('run_a')).toBe('/console/t/demo/runs/run_a');
    expect(text).toContain('2 skipped: It was replayed 3 times.');
    expect(text).not.toContain('replays-spent');
  });

  it('counts their outcomes, of the newest if there are more, and follows them until all have ended', async () => {
    const runs = [
      made,
      runAnswer({ id: 'run_c', status: 'FAILED', bulkReplay: 'bulk_1' }),
      runAnswer({ id: 'run_d', status: 'IN_PROGRESS', completedAt: null, bulkReplay: 'bulk_1' }),
    ];
    const running = await shown({ items: runs });
    expect(running.text).toContain('Outcomes: 1 completed, 1 failed, 1 in progress.');
    expect(running.html).toContain('data-live="progress"');
    const ended = await shown({ items: runs.slice(0, 2), nextCursor: 'more' });
    expect(ended.text).toContain('Outcomes of the newest 2: 1 completed, 1 failed.');
    expect(ended.html).not.toContain('data-live="progress"');
  });

  it('leads to all of them in the delivery log, which keeps the filter', async () => {
    const { links } = await shown({ items: [made], nextCursor: 'more' });
    const { searchParams } = new URL(links.get('View all in the delivery log') ?? '', 'http://here');
    expect(Object.fromEntries(searchParams)).toEqual({ bulkReplay: 'bulk_1', period: '1h' });
    const log = await renderedScreen(deliveryLog, {
      query: Object.fromEntries(searchParams),
      answers: { 'GET runs': { items: [made] }, 'GET modules': { items: [] }, 'GET api-configurations': { items: [] } },
    });
    expect(log.calls[0]?.query).toMatchObject({ bulkReplay: 'bulk_1' });
    expect(log.html).toContain('<input type="hidden" name="bulkReplay" value="bulk_1"/>');
    expect(log.links.get('bulk replay bulk_1')).toBe('/console/t/demo/replays/bulk_1');
  });

  it('is shown all the same if its runs cannot be loaded', async () => {
    const { text, status } = await shown(undefined);
    expect(status).toBe(200);
    expect(text).toContain('The runs could not be loaded.');
  });
});
