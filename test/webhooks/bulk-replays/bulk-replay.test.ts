import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterPage,
  type BulkReplay,
  BulkReplayFilter,
  delaySecondsOf,
  endOf,
  type PageResult,
  presentBulkReplay,
} from '../../../functions/webhooks/bulk-replays/bulk-replay.ts';
import { replayIdOf } from '../../../functions/webhooks/bulk-replays/replay-page.ts';

const START = Date.UTC(2026, 10, 1);
const FROM = Date.UTC(2026, 9, 1);

const replay: BulkReplay = {
  id: 'rpl_1',
  tenant: 'acme',
  filter: { from: FROM },
  status: 'RUNNING',
  createdAt: START,
  replayed: 0,
  skipped: {},
  pages: 0,
  reached: START,
  pacedUntil: START,
  progressedAt: START,
};

const page = (own: Partial<PageResult> = {}): PageResult => ({
  newReplays: 20,
  skipped: [],
  oldest: START - 5_000,
  nextCursor: 'next',
  startedAt: START,
  endedAt: START + 400,
  perSecond: 20,
  ...own,
});

describe('a filter', () => {
  it('needs a beginning and takes module, configuration, end and record', () => {
    const input = {
      module: 'Breach Management',
      configuration: 'cfg_1',
      from: '2026-10-01T02:00:00+02:00',
      to: '2026-10-02T00:00:00Z',
      record: 'incident: 7',
    };
    expect(BulkReplayFilter.parse(input)).toEqual({
      module: 'breach',
      configuration: 'cfg_1',
      from: FROM,
      to: FROM + 86_400_000,
      record: 'incident: 7',
    });
    expect(BulkReplayFilter.parse({ from: input.from })).toEqual({ from: FROM });
  });

  it.each<[string, unknown]>([
    ['no beginning', {}],
    ['an end before the beginning', { from: '2026-10-02T00:00:00Z', to: '2026-10-01T00:00:00Z' }],
    ['an end at the beginning', { from: '2026-10-01T00:00:00Z', to: '2026-10-01T00:00:00Z' }],
    ['an unknown module', { from: '2026-10-01T00:00:00Z', module: 'weather' }],
    ['an invalid time', { from: 'yesterday' }],
    ['a blank record', { from: '2026-10-01T00:00:00Z', record: '' }],
    ['a status, since only failed runs are replayed', { from: '2026-10-01T00:00:00Z', status: 'FAILED' }],
    ['a list', []],
    ['nothing', null],
  ])('is refused: %s', (_what, input) => {
    expect(BulkReplayFilter.safeParse(input).success).toBe(false);
  });
});

describe('a bulk replay', () => {
  it('never looks at runs made after it', () => {
    expect(endOf(replay)).toBe(START);
    expect(endOf({ ...replay, filter: { from: FROM, to: START + 1 } })).toBe(START);
    expect(endOf({ ...replay, filter: { from: FROM, to: START - 1 } })).toBe(START - 1);
  });

  it('continues after a page from where it ended, and adds up what was skipped', () => {
    const first = afterPage(replay, page({ skipped: ['resolved', 'resolved'] }));
    expect(first).toMatchObject({ status: 'RUNNING', cursor: 'next', pages: 1, reached: START - 5_000 });
    const woken = { ...first, wakeUps: 2, wokenAt: START + 1 };
    const second = afterPage(woken, page({ skipped: ['resolved', 'replays-spent'], oldest: undefined }));
    expect(second).toMatchObject({ skipped: { resolved: 3, 'replays-spent': 1 }, pages: 2, reached: START - 5_000 });
    expect(second).not.toHaveProperty('wakeUps');
    expect(second).not.toHaveProperty('wokenAt');
  });

  it('is completed by the page without a next one', () => {
    const last = afterPage({ ...replay, cursor: 'before' }, page({ nextCursor: undefined }));
    expect(last).toMatchObject({ status: 'COMPLETED', completedAt: START + 400, reached: FROM });
    expect(last).not.toHaveProperty('cursor');
  });

  it('keeps its pace over time, and does not make up for time in which it stood still', () => {
    const pages = fc.array(
      fc.record({ newReplays: fc.nat(20), takes: fc.nat(2_000), lies: fc.oneof(fc.nat(100), fc.nat(60_000)) }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(pages, fc.constantFrom(1, 5, 20, 100), (all, perSecond) => {
        let at = START;
        let state = replay;
        const starts: { at: number; newReplays: number }[] = [];
        for (const { newReplays, takes, lies } of all) {
          starts.push({ at, newReplays });
          const endedAt = at + takes;
          state = afterPage(state, page({ newReplays, startedAt: at, endedAt, perSecond }));
          at = endedAt + delaySecondsOf(state, endedAt) * 1_000 + lies;
        }
        // Between any two pages: no more than the pace allows, a page, and the part of a second that queues cannot
        // delay.
        for (const [index, { at: from }] of starts.entries()) {
          const until = starts.slice(index);
          let count = 0;
          for (const one of until) {
            expect(count).toBeLessThanOrEqual(((one.at - from + 1_000) * perSecond) / 1_000 + 20 + 1e-6);
            count += one.newReplays;
          }
        }
      }),
    );
  });

  it('derives the id of a replay from the bulk replay and the run, so that the replay is made once', () => {
    const key = { tenant: 'acme', id: 'rpl_1' };
    expect(replayIdOf(key, 'run_1')).toBe(replayIdOf({ ...key }, 'run_1'));
    expect(replayIdOf(key, 'run_1')).toMatch(/^run_[\w-]{24}$/);
    const others = [replayIdOf(key, 'run_2'), replayIdOf({ ...key, id: 'rpl_2' }, 'run_1')];
    expect(new Set([replayIdOf(key, 'run_1'), ...others]).size).toBe(3);
  });

  it('is shown with times and sums, without what only workers need', () => {
    const view = presentBulkReplay({
      ...replay,
      filter: { from: FROM, module: 'dsar' },
      skipped: { resolved: 2, 'replays-spent': 1 },
    });
    expect(view).toEqual({
      id: 'rpl_1',
      status: 'RUNNING',
      filter: { module: 'dsar', configuration: null, from: '2026-10-01T00:00:00.000Z', to: null, record: null },
      replayed: 0,
      skipped: 3,
      skippedBecause: { resolved: 2, 'replays-spent': 1 },
      reached: '2026-11-01T00:00:00.000Z',
      createdAt: '2026-11-01T00:00:00.000Z',
      completedAt: null,
    });
  });
});
