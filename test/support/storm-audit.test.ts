import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../functions/webhooks/runs/attempt.ts';
import type { EndedRun, Run } from '../../functions/webhooks/runs/run.ts';
import { runItem } from '../../functions/webhooks/runs/run-items.dynamodb.ts';
import { created, failed } from '../../functions/webhooks/runs/run-machine.ts';
import type { Item } from '../../shared/table.dynamodb.ts';
import { faultsOf } from './storm-audit.ts';

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
const completed: EndedRun = { ...failed(fresh, 'timeout', 1)!, status: 'COMPLETED', attempts: 1 };
const line = (changes: Partial<Attempt> = {}, post = 7): Attempt => ({
  attempt: 1,
  part: 0,
  startedAt: 0,
  outcome: 'succeeded',
  statusCode: 200,
  body: { bytes: Buffer.from(JSON.stringify({ post })), isTruncated: false },
  ...changes,
});
const seen = (...numbers: number[]) => ({
  keys: new Set(['key']),
  bodies: new Set(['digest']),
  posts: numbers.map((number) => ({ number, status: 200 })),
});
const faults = (run: Run, attempts: readonly Attempt[], what: ReturnType<typeof seen>, left: Item = {}) => [
  ...faultsOf({ item: { ...runItem(run, 0), ...left }, run, attempts }, what),
];

describe('the audit of a storm', () => {
  it('finds nothing in a run that is as its endpoint saw it', () => {
    expect(faults(completed, [line()], seen(7))).toEqual([]);
    expect(faults(completed, [line({ outcome: 'interrupted' }), line({ part: 1 }, 8)], seen(7, 8))).toEqual([]);
    expect(faults(completed, [line({ outcome: 'interrupted' }), line({ part: 1 }, 8)], seen(8))).toEqual([]);
  });

  it.each<[string, Run, readonly Attempt[], ReturnType<typeof seen>]>([
    ['a POST without a line', completed, [line()], seen(7, 8)],
    ['a line without a POST', completed, [line()], seen()],
    ['two lines of one POST', completed, [line(), line({ part: 1 })], seen(7)],
    ['an attempt without a line', { ...completed, attempts: 2 }, [line()], seen(7)],
    ['another status than the answer had', completed, [line({ statusCode: 201 })], seen(7)],
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

  it.each<Item>([{ lookAt: 1 }, { lease: { token: 'mine', until: 1 } }])(
    'finds a run that is still pending after its end: %o',
    (left) => {
      expect(faults(completed, [line()], seen(7), left)).toEqual(['it has ended and is still pending.']);
    },
  );
});
