import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { ModuleId } from '../modules/module-input.ts';
import { AttemptLine, SentHeader } from './attempt-line.ts';
import { CountQuery, LogQuery, RunStatus } from './run-log.ts';

const Run = named(
  'Run',
  z.object({
    id: z.string(),
    eventId: z.string(),
    ruleId: z.string(),
    record: z.string().meta({ description: 'The source record: its type and its id.' }),
    apiConfigurationId: z.string(),
    apiConfigurationName: z.string(),
    module: ModuleId,
    moduleName: z.string(),
    trigger: z.string(),
    status: RunStatus,
    attempts: z.int(),
    maxAttempts: z.int(),
    responseCode: z.int().nullable(),
    error: z.string().nullable().meta({ description: 'The outcome of the last attempt, if it failed.' }),
    triggeredAt: Time,
    completedAt: z.nullable(Time),
    durationMs: z.int().nullable(),
    nextAttemptAt: z.nullable(Time),
    waitsForEndpoint: z.boolean().meta({ description: 'True while all slots of its API configuration are taken.' }),
    paused: z.boolean().meta({ description: 'True while the webhooks of the account are paused.' }),
    idempotencyKey: z.string(),
    replayOf: z.string().nullable(),
    bulkReplay: z.string().nullable(),
    replays: z.int(),
    resolved: z.boolean().meta({ description: 'True if a replay succeeded.' }),
    resolvedBy: z.string().nullable(),
  }),
  'One delivery of one event under one rule.',
);

const RunDetails = named(
  'RunDetails',
  Run.extend({
    replayedBy: z.array(z.string()),
    targetUrl: z.string(),
    payload: z.string().nullable(),
    headers: z.array(SentHeader),
    responseBody: z.string().nullable(),
    responseBodyEncoding: z.enum(['utf8', 'base64']).nullable(),
    responseBodyTruncated: z.boolean(),
    attemptLog: z.array(AttemptLine),
  }),
  'A run with its payload, its headers and its attempts. Secrets are masked.',
);

const RunPage = named(
  'RunPage',
  z.object({
    items: z.array(Run),
    nextCursor: z.string().optional(),
    reached: z.iso
      .datetime()
      .optional()
      .meta({ description: 'How far back this page has searched, if there is more.' }),
  }),
);

const RunCounts = named(
  'RunCounts',
  z.object({
    periodMinutes: z.int(),
    periods: z.array(z.object({ from: Time, completed: z.int(), failed: z.int(), inProgress: z.int() })),
    reached: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Runs before this time were not looked at, because there are too many.' }),
  }),
  'Numbers of runs by when they were created, in periods of equal length, the oldest first.',
);

const ReplayQuery = z.object({
  unlessReplaying: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'With `true`, a run whose replay is in progress is refused.' }),
});

/** Operations on runs. */
export const runOperations = operations({
  listRuns: {
    route: 'GET /manage/v1/runs',
    summary: 'List runs',
    description: 'A page of a filtered list may be empty although there are more: follow `nextCursor` to the end.',
    query: LogQuery,
    answers: { 200: RunPage },
  },
  countRuns: {
    route: 'GET /manage/v1/runs/counts',
    summary: 'Count runs over time',
    description: 'The last 24 hours by default. It looks through some 1,000 runs, the newest ones.',
    query: CountQuery,
    answers: { 200: RunCounts },
  },
  getRun: { route: 'GET /manage/v1/runs/{id}', summary: 'Get a run', path: ItemPath, answers: { 200: RunDetails } },
  listAttempts: {
    route: 'GET /manage/v1/runs/{id}/attempts',
    summary: 'List the attempts of a run',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('AttemptPage', AttemptLine) },
  },
  retryRun: {
    route: 'POST /manage/v1/runs/{id}/retry',
    summary: 'Retry a waiting run now',
    description: 'Its next attempt is due at once instead of at `nextAttemptAt`. It counts like any other.',
    path: ItemPath,
    answers: { 200: Run },
    errors: { 409: ['not-waiting', 'changed-meanwhile', 'api-integration-off'] },
  },
  replayRun: {
    route: 'POST /manage/v1/runs/{id}/replay',
    summary: 'Replay a failed run',
    description: 'Makes a new run with the same payload, headers and idempotency key, and the present configuration.',
    path: ItemPath,
    query: ReplayQuery,
    answers: { 201: Run },
    errors: {
      409: [
        'is-replay',
        'not-failed',
        'resolved',
        'replay-in-progress',
        'replays-spent',
        'configuration-missing',
        'configuration-disabled',
        'payload-missing',
        'api-integration-off',
      ],
    },
  },
});
