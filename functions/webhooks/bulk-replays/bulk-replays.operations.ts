import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { ModuleId } from '../modules/module-input.ts';
import { BulkReplayFilter } from './bulk-replay.ts';

const BulkReplay = named(
  'BulkReplay',
  z.object({
    id: z.string(),
    status: z.enum(['RUNNING', 'COMPLETED', 'CANCELLED']),
    filter: z.object({
      module: ModuleId.nullable(),
      configuration: z.string().nullable(),
      from: Time,
      to: z.nullable(Time),
      record: z.string().nullable(),
    }),
    replayed: z.int(),
    skipped: z.int(),
    skippedBecause: z.record(z.string(), z.int()).meta({ description: 'How many were skipped, by reason.' }),
    reached: z.iso.datetime().meta({ description: 'Runs made at this time or later are done.' }),
    createdAt: Time,
    completedAt: z.nullable(Time),
  }),
  'A replay of every failed run that a filter matches.',
);

/** Operations on bulk replays. */
export const bulkReplayOperations = operations({
  startBulkReplay: {
    route: 'POST /manage/v1/replays',
    summary: 'Replay all failed runs that match',
    body: BulkReplayFilter,
    example: { from: '2026-11-01T00:00:00Z', module: 'dsar' },
    answers: { 202: BulkReplay },
    headers: { Location: 'The path of the bulk replay.' },
    errors: { 409: ['replay-running', 'api-integration-off'] },
  },
  listBulkReplays: {
    route: 'GET /manage/v1/replays',
    summary: 'List bulk replays',
    query: PageQuery,
    answers: { 200: pageOf('BulkReplayPage', BulkReplay) },
  },
  getBulkReplay: {
    route: 'GET /manage/v1/replays/{id}',
    summary: 'Get a bulk replay',
    path: ItemPath,
    answers: { 200: BulkReplay },
  },
  cancelBulkReplay: {
    route: 'DELETE /manage/v1/replays/{id}',
    summary: 'Cancel a bulk replay',
    description: 'One that has ended stays as it is.',
    path: ItemPath,
    answers: { 200: BulkReplay },
  },
});
