import type { Attempt, Run } from '../../../functions/console/runs/run-answers.ts';

/** A run as the management API lists it: a completed one of the module `dsar`, unless `own` says otherwise. */
export const runAnswer = (own: Partial<Run> = {}): Run => ({
  id: 'run_1',
  record: 'subject request: 4711',
  apiConfigurationId: 'cfg_1',
  apiConfigurationName: 'Cases',
  ruleId: 'rule_1',
  eventId: 'event-1',
  module: 'dsar',
  moduleName: 'Data Subject Requests',
  trigger: 'Stage started',
  status: 'COMPLETED',
  attempts: 1,
  maxAttempts: 3,
  responseCode: null,
  error: null,
  triggeredAt: '2026-11-23T10:00:00.000Z',
  completedAt: '2026-11-23T10:00:01.000Z',
  durationMs: 1_000,
  nextAttemptAt: null,
  waitsForEndpoint: false,
  paused: false,
  idempotencyKey: 'a0000000-0000-4000-8000-000000000000',
  replayOf: null,
  bulkReplay: null,
  replays: 0,
  resolved: false,
  resolvedBy: null,
  ...own,
});

/** An attempt as the management API shows it: one of 30 seconds that succeeded, unless `own` says otherwise. */
export const sentAttempt = (own: Partial<Attempt> = {}): Attempt => ({
  attempt: 1,
  part: 0,
  targetUrl: 'https://cases.example.com/hooks',
  startedAt: '2026-11-23T10:00:00.000Z',
  outcome: 'succeeded',
  responseCode: 200,
  responseBody: '',
  responseBodyEncoding: 'utf8',
  responseBodyTruncated: false,
  late: false,
  timings: { dnsMillis: 5, connectMillis: 20, tlsMillis: 30, firstByteMillis: 29_000, totalMillis: 30_000 },
  ...own,
});
