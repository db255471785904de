import * as z from 'zod';
import { shardOf } from '#shared/table/sharded-lists';
import type { Item, Key } from '#shared/table/table.dynamodb';
import { MODULE_IDS } from '../modules/module.ts';
import { DUE, FAILED, LOG, PARKED, RUN, RUN_ITEM } from '../table-keys.ts';
import type { Attempt } from './attempt.ts';
import { OUTCOMES } from './attempt-line.ts';
import { hasEnded, isParked, type Payload, type Run, type RunKey } from './run.ts';

/**
 * A run, its payload and its attempts share a partition; the payload is a separate item, because writes are billed by
 * item size.
 */
export const runKey = ({ tenant, id }: RunKey): Key => ({ pk: `${RUN}${tenant}#${id}`, sk: RUN_ITEM });
export const payloadKey = (key: RunKey): Key => ({ pk: runKey(key).pk, sk: 'PAYLOAD' });
const attemptKey = (key: RunKey, { attempt, part }: Pick<Attempt, 'attempt' | 'part'>): Key => ({
  pk: runKey(key).pk,
  sk: `ATTEMPT#${String(attempt).padStart(2, '0')}.${part}`,
});

export function runKeyIn({ pk }: { pk: string }): RunKey {
  const [, tenant = '', id = ''] = pk.split('#');
  return { tenant, id };
}

/**
 * The shards of lists, by the id of the run. A shard takes 1,000 writes a second and a run makes two of them, so a tenant
 * has 2,000 runs a second. Each shard more is a query more in every page of the log.
 */
export const LOG_SHARDS = 4;
export const DUE_SHARDS = 16;
export const logOf = (tenant: string, shard: number) => `${LOG}${tenant}#${shard}`;
export const failedOf = (tenant: string, shard: number) => `${FAILED}${tenant}#${shard}`;
export const dueOf = (shard: number) => `${DUE}${shard}`;
export const parkedOf = (tenant: string, configurationId: string) => `${PARKED}${tenant}#${configurationId}`;
/** The partition of the index `Due` in which the sweeper finds a run, or a configuration with parked runs. */
export const dueShardOf = (id: string) => dueOf(shardOf(id, DUE_SHARDS));

export const logPosition = ({ createdAt, id }: Pick<Run, 'createdAt' | 'id'>) =>
  `${String(createdAt).padStart(15, '0')}#${id}`;
/** Returns the time in a position of the log. */
export const momentIn = (position: string): number => Number.parseInt(position, 10);

/**
 * The run as an item. The index `Log` has the attributes that filters need and none that changes while a run is
 * delivered; `Failed` has the same of failed runs, however many others there are. `Due` has only runs that have not
 * ended, `Parked` those that wait for a slot, sorted by when they were due.
 */
export function runItem(run: Run, expiresAt: number): Item {
  const shard = shardOf(run.id, LOG_SHARDS);
  return {
    ...runKey(run),
    ...run,
    log: logOf(run.tenant, shard),
    ...(run.status === 'FAILED' && { failed: failedOf(run.tenant, shard) }),
    logPosition: logPosition(run),
    ...(hasEnded(run) ? { outcome: run.status } : { due: dueShardOf(run.id) }),
    ...(isParked(run) && { parked: parkedOf(run.tenant, run.configurationId) }),
    ttl: Math.floor(expiresAt / 1000),
  };
}

const millis = z.number();
const RunBase = z.object({
  id: z.string(),
  tenant: z.string(),
  eventId: z.string(),
  ruleId: z.string(),
  module: z.enum(MODULE_IDS),
  trigger: z.string(),
  record: z.string(),
  idempotencyKey: z.string(),
  origin: z.string().optional(),
  createdAt: millis,
  configurationId: z.string(),
  configurationName: z.string(),
  targetUrl: z.string(),
  retryIntervalSeconds: z.number(),
  retryTimeoutSeconds: z.number(),
  maxAttempts: z.number(),
  replayOf: z.string().optional(),
  bulkReplay: z.string().optional(),
  replays: z.number(),
  replayedBy: z.array(z.string()).optional(),
  resolvedBy: z.string().optional(),
  attempts: z.number(),
  interruptions: z.number(),
  sweeps: z.number(),
  responseCode: z.number().optional(),
  error: z.string().optional(),
  keptUntil: millis.optional(),
  revision: z.number(),
});
const PendingRun = RunBase.extend({
  status: z.enum(['CREATED', 'IN_PROGRESS']),
  nextAttemptAt: millis,
  nextSweepAt: millis,
  isRepeat: z.boolean().optional(),
});
const WaitingRun = PendingRun.extend({ dispatchAttempt: z.number().optional(), slotWaitSince: millis.optional() });
const ParkedRun = PendingRun.extend({
  isParked: z.literal(true),
  isPaused: z.literal(true).optional(),
  slotWaitSince: millis,
});
const LeasedRun = RunBase.extend({
  status: z.literal('IN_PROGRESS'),
  lease: z.object({ token: z.string(), until: millis }),
  nextSweepAt: millis,
});
const EndedRun = RunBase.extend({ status: z.enum(['COMPLETED', 'FAILED']), completedAt: millis });

/** Reads a run. One attribute decides its state, so that the error of an invalid item names the wrong member. */
export function runIn(item: Item): Run {
  if ('completedAt' in item) return EndedRun.parse(item);
  if ('lease' in item) return LeasedRun.parse(item);
  return 'isParked' in item ? ParkedRun.parse(item) : WaitingRun.parse(item);
}

const bytes = z.instanceof(Uint8Array);
const Header = z.tuple([z.string(), z.string()]);
const Headers = z.array(Header);

export const payloadItem = (key: RunKey, payload: Payload, expiresAt: number): Item => ({
  ...payloadKey(key),
  ...payload,
  headers: payload.headers.map(([name, value]) => [name, value]),
  ttl: Math.floor(expiresAt / 1000),
});
const PayloadItem = z.object({ body: bytes, headers: Headers, createdAt: millis });
export const payloadIn = (item: Item): Payload => PayloadItem.parse(item);

const Timings = z.object({
  dnsMillis: z.number().optional(),
  connectMillis: z.number().optional(),
  tlsMillis: z.number().optional(),
  firstByteMillis: z.number().optional(),
  totalMillis: z.number(),
});
const AttemptItem = z.object({
  attempt: z.number(),
  part: z.number(),
  targetUrl: z.string(),
  startedAt: millis,
  endedAt: millis.optional(),
  outcome: z.enum(OUTCOMES),
  statusCode: z.number().optional(),
  body: z.object({ bytes, isTruncated: z.boolean() }).optional(),
  timings: Timings.optional(),
  traceId: z.string().optional(),
  authHeader: Header.optional(),
  signatures: z.number().optional(),
  isLate: z.boolean().optional(),
});
export const attemptIn = (item: Item): Attempt => AttemptItem.parse(item);
export const attemptItem = (key: RunKey, attempt: Attempt, expiresAt: number): Item => ({
  ...attemptKey(key, attempt),
  ...attempt,
  ttl: Math.floor(expiresAt / 1000),
});
