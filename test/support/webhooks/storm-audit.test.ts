import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../functions/webhooks/runs/attempt.ts';
import type { EndedRun, Run } from '../../../functions/webhooks/runs/run.ts';
import { runItem } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { created, failed } from '../../../functions/webhooks/runs/run-machine.ts';
import type { Item } from '../../../shared/table/table.dynamodb.ts';
import { faultsOf, firstPostOf } from './storm-audit.ts';
import { heldUp } from './storm-order.ts';

const fresh = created({
  id: 'run_1',
  tenant: 'acme',
  eventId: 'event-1',
  ruleId: 'rule_1',
  module: 'dsar',
  trigger: 'DSAR starts',
  record: 'storm: event-1',
  idempotencyKey: 'key',
  createdAt: 0,
  configurationId: 'cfg_1',
  configurationName: 'Endpoint',
  targetUrl: 'https://127.0.0.1/1',
  retryIntervalSeconds: 1,
  retryTimeoutSeconds: 2,
  maxAttempts: 3,
});
const END = 1_000;
const LAG = 30;
const completed: EndedRun = { ...failed(fresh, 'timeout', END)!, status: 'COMPLETED', attempts: 1 };
const line = (changes: Partial<Attempt> = {}, post = 7): Attempt => ({
  attempt: 1,
  part: 0,
  targetUrl: fresh.targetUrl,
  startedAt: 0,
  outcome: 'succeeded',
  statusCode: 200,
  body: { bytes: Buffer.from(JSON.stringify({ post })), isTruncated: false },
  ...changes,
});
const seen = (...numbers: number[]) => ({
  keys: new Set(['key']),
  bodies: new Set(['digest']),
  posts: numbers.map((number) => ({ number, status: 200, at: END })),
});
const faults = (run: Run, attempts: readonly Attempt[], what: ReturnType<typeof seen>, left: Item = {}) => [
  ...faultsOf({ item: { ...runItem(run, 0), ...left }, run, attempts }, what, { lagMillis: LAG }),
];

describe('the audit of a storm', () => {
  it('finds nothing in a run that is as its endpoint saw it', () => {
    expect(faults(completed, [line()], seen(7))).toEqual([]);
    expect(faults(completed, [line({ outcome: 'interrupted' }), line({ part: 1 }, 8)], seen(7, 8))).toEqual([]);
    expect(faults(completed, [line({ outcome: 'interrupted' }), line({ part: 1 }, 8)], seen(8))).toEqual([]);
    expect(faults(completed, [line({ isLate: true }), line({ part: 1 }, 8)], seen(7, 8))).toEqual([]);
    const atLast = { ...seen(), posts: [{ number: 7, status: 200, at: END + LAG }] };
    expect(faults(completed, [line()], atLast)).toEqual([]);
  });

  it.each<[string, Run, readonly Attempt[], ReturnType<typeof seen>]>([
    ['a POST without a line', completed, [line()], seen(7, 8)],
    ['a line without a POST', completed, [line()], seen()],
    ['two lines of one POST', completed, [line(), line({ part: 1 })], seen(7)],
    ['two outcomes of one attempt', completed, [line(), line({ part: 1 }, 8)], seen(7, 8)],
    ['an attempt without a line', { ...completed, attempts: 2 }, [line()], seen(7)],
    ['another status than the answer had', completed, [line({ statusCode: 201 })], seen(7)],
    ['a success that came too late', completed, [line({ isLate: true })], seen(7)],
    [
      'a POST after the end',
      completed,
      [line()],
      { ...seen(), posts: [{ number: 7, status: 200, at: END + LAG + 1 }] },
    ],
    ['a success without one', completed, [line({ outcome: 'http_status' })], seen(7)],
    [
      'too many attempts',
      { ...completed, attempts: 4 },
      [1, 2, 3, 4].map((attempt) => line({ attempt }, attempt)),
      seen(1, 2, 3, 4),
    ],
    ['a run that has not ended', { ...fresh, status: 'IN_PROGRESS', attempts: 1 }, [line()], seen(7)],
    [
      'a failure before the last attempt',
      { ...completed, status: 'FAILED' },
      [line({ outcome: 'http_status' })],
      seen(7),
    ],
    ['another key', completed, [line()], { ...seen(7), keys: new Set(['key', 'other']) }],
    ['other bytes', completed, [line()], { ...seen(7), bodies: new Set(['digest', 'other']) }],
  ])('finds %s', (_what, run, attempts, what) => {
    expect(faults(run, attempts, what)).not.toEqual([]);
  });

  it.each<Item>([{ nextSweepAt: 1 }, { lease: { token: 'mine', until: 1 } }])(
    'finds a run that is still pending after its end: %o',
    (left) => {
      expect(faults(completed, [line()], seen(7), left)).toEqual(['it has ended and is still pending.']);
    },
  );
});

/** Their due times, in the order of their POSTs. */
const posted = (...dueTimes: number[]) =>
  dueTimes.map((dueAt, post) => ({ run: `due ${dueAt}`, dueAt, post, waited: true }));
const heldUpOf = (slots: number, ...dueTimes: number[]) => heldUp(posted(...dueTimes), slots).map(({ dueAt }) => dueAt);

describe('the order of a backlog', () => {
  it('is kept when fewer than there are slots are overtaken, however often', () => {
    expect(heldUpOf(1, 1, 2, 3, 4)).toEqual([]);
    expect(heldUpOf(1, 1, 1, 2, 2)).toEqual([]);
    expect(heldUpOf(2, 2, 3, 4, 5, 1)).toEqual([]);
    expect(heldUpOf(4, 4, 5, 6, 7, 1, 2, 3)).toEqual([]);
  });

  it.each<[string, number, number[], number[]]>([
    ['one run that is overtaken with one slot', 1, [2, 3, 4, 1], [1]],
    ['one run too many', 4, [5, 6, 1, 2, 3, 4], [4]],
    ['the one that was posted last', 2, [3, 2, 4, 1], [1]],
    ['the newest first', 2, [6, 5, 4, 3, 2, 1], [4, 3, 2, 1]],
  ])('finds %s', (_what, slots, dueTimes, late) => {
    expect(heldUpOf(slots, ...dueTimes)).toEqual(late);
  });

  it('is broken by a run that was made later, and not for one', () => {
    const [later, ...others] = posted(9, 1, 2);
    expect(heldUp([{ ...later!, waited: false }, ...others], 1)).toEqual(others);
    expect(heldUp([later!, ...others.map((one) => ({ ...one, waited: false }))], 1)).toEqual([]);
  });

  const backlog = { runs: new Set(['run_1']), at: END - 1 };
  const first = (run: Run, attempts: readonly Attempt[], what: ReturnType<typeof seen>, of = backlog) =>
    firstPostOf({ item: {}, run, attempts }, what, of);

  it('is that of the first POSTs of parked runs, and of runs made later', () => {
    const twice = [line({ outcome: 'http_status' }), line({ attempt: 2 }, 8)];
    expect(first(completed, twice, seen(7, 8))).toEqual({ run: 'run_1', dueAt: 0, post: 7, waited: true });
    const later = { ...completed, id: 'run_2', createdAt: END };
    expect(first(later, [line()], seen(7))).toEqual({ run: 'run_2', dueAt: END, post: 7, waited: false });
  });

  it.each<[string, Run, readonly Attempt[], ReturnType<typeof seen>, typeof backlog]>([
    ['waited for a retry', completed, [line()], seen(7), { ...backlog, at: END }],
    ['was made earlier and not parked', { ...completed, id: 'run_2' }, [line()], seen(7), backlog],
    ['was interrupted', completed, [line({ outcome: 'interrupted' }), line({ part: 1 })], seen(6, 7), backlog],
    ['was late', completed, [line({ isLate: true }), line({ part: 1 })], seen(6, 7), backlog],
    ['was not seen at its first attempt', completed, [line({ outcome: 'timeout' }), line()], seen(7), backlog],
    ['was never seen', completed, [line({ outcome: 'timeout' })], seen(), backlog],
  ])('leaves a run out that %s', (_what, run, attempts, what, of) => {
    expect(first(run, attempts, what, of)).toBeUndefined();
  });
});
