import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Item, Key, Table } from '#shared/table/table.dynamodb';
import { updateWrite } from '#shared/table/writes.dynamodb';
import { MODULE_IDS } from '../modules/module.ts';
import { BULK_REPLAY, BULK_REPLAYS, RUNNING_BULK_REPLAY, RUNNING_BULK_REPLAYS } from '../table-keys.ts';
import type { BulkReplay, BulkReplayKey } from './bulk-replay.ts';

export const bulkReplayKey = ({ tenant, id }: BulkReplayKey): Key => ({
  pk: `${BULK_REPLAY}${tenant}#${id}`,
  sk: 'BULK_REPLAY',
});
/** The key of an item that exists while a bulk replay of the tenant is running: a tenant has at most one at a time. */
export const runningKey = (tenant: string): Key => ({
  pk: `${RUNNING_BULK_REPLAY}${tenant}`,
  sk: 'RUNNING_BULK_REPLAY',
});

export const bulkReplaysOf = (tenant: string) => `${BULK_REPLAYS}${tenant}`;

const positionOf = ({ createdAt, id }: BulkReplay) => `${String(createdAt).padStart(15, '0')}#${id}`;

export const bulkReplayItem = (replay: BulkReplay, expiresAt: number): Item => ({
  ...bulkReplayKey(replay),
  ...replay,
  list: bulkReplaysOf(replay.tenant),
  position: positionOf(replay),
  ttl: Math.floor(expiresAt / 1000),
});
export const runningItem = (replay: BulkReplay, expiresAt: number): Item => ({
  ...runningKey(replay.tenant),
  tenant: replay.tenant,
  id: replay.id,
  list: RUNNING_BULK_REPLAYS,
  position: positionOf(replay),
  ttl: Math.floor(expiresAt / 1000),
});

const RunningItem = z.object({ tenant: z.string(), id: z.string() });
export const runningIn = (item: Item): BulkReplayKey => RunningItem.parse(item);

const millis = z.number();
const BulkReplayItem = z.object({
  id: z.string(),
  tenant: z.string(),
  filter: z.object({
    module: z.enum(MODULE_IDS).optional(),
    configuration: z.string().optional(),
    from: millis,
    to: millis.optional(),
    record: z.string().optional(),
  }),
  status: z.enum(['RUNNING', 'COMPLETED', 'CANCELLED']),
  createdAt: millis,
  completedAt: millis.optional(),
  replayed: z.number(),
  skipped: z.record(z.string(), z.number()),
  pages: z.number(),
  cursor: z.string().optional(),
  reached: millis,
  pacedUntil: millis,
  progressedAt: millis,
  wakeUps: z.number().optional(),
  wokenAt: millis.optional(),
});
export const bulkReplayIn = (item: Item): BulkReplay => BulkReplayItem.parse(item);

/** Counts a replay in the transaction that makes it, and forbids it when the bulk replay has ended. */
export const countingReplay =
  (table: Table) =>
  ({ tenant, bulkReplay }: { readonly tenant: string; readonly bulkReplay: string }): TransactWriteItem =>
    updateWrite(table.name, bulkReplayKey({ tenant, id: bulkReplay }), {
      change: 'SET replayed = replayed + :one',
      condition: '#status = :running',
      values: { one: 1, running: 'RUNNING' },
    });
