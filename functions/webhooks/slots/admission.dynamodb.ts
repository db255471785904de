import { ProvisionedThroughputExceededException, RequestLimitExceeded } from '@aws-sdk/client-dynamodb';
import { getItem, type Table } from '#shared/table/table.dynamodb';
import type { ConfigurationKey } from '../runs/run.ts';
import { dueShardOf } from '../runs/run-items.dynamodb.ts';
import {
  type Admission,
  type AdmissionResult,
  becomesSilent,
  freeSlots,
  type Load,
  type Slot,
  type SlotLimits,
  type SlotRelease,
} from './admission.ts';
import { FullEndpoints } from './full-endpoints.ts';
import { expiry, loadIn, loadKey, slotName, update, writeSlot } from './load-items.dynamodb.ts';

export interface AdmissionOptions {
  readonly table: Table;
  /** The most attempts at a time for one configuration. */
  readonly limits: SlotLimits;
  /** Returns a random number from 0 to 1, which spreads the choice of slots. */
  readonly chance: () => number;
}

const TRIES = 4;
/** A parking note is not renewed within this time. */
const NOTED_MILLIS = 1_000;

const NO_LOAD: Load = { slots: new Map(), timeouts: 0, isSilent: false };

/** Admission by two writes per attempt: one takes a slot, the other returns it. */
export function admission(options: AdmissionOptions): Admission {
  const { table } = options;
  const fullEndpoints = new FullEndpoints();
  return {
    async enter(key, lease) {
      const full = lease.reserved ? undefined : fullEndpoints.get(key, lease.now);
      if (full) return { kind: 'full', load: full };
      // Many workers write the same item, so DynamoDB may throttle it.
      const entered = await enter(options, key, lease).catch((error: unknown): AdmissionResult => {
        if (isThrottle(error)) return { kind: 'busy' };
        throw error;
      });
      if (entered.kind === 'full') fullEndpoints.note(key, entered.load, lease.now);
      return entered;
    },

    leave(key, slot, release) {
      fullEndpoints.forget(key);
      return release.outcome === 'timed-out'
        ? leaveAfterTimeout(options, key, { slot, ...release })
        : leave(table, key, { slot, ...release });
    },

    load: async (key) => loadIn((await getItem(table, loadKey(key))) ?? {}),

    reserve: (key, load, lease) => reserve(options, key, { load, ...lease }),

    async noteParking(key, load, now) {
      if (load.parkedAt !== undefined && now - load.parkedAt < NOTED_MILLIS) return;
      // Every sweep finds the item by `due` and `nextSweepAt`.
      await update(table, key, {
        change: 'SET parkedAt = :now, due = :due, nextSweepAt = :always, #ttl = :ttl',
        values: { now, due: dueShardOf(key.configurationId), always: 0, ttl: expiry(now) },
      });
      fullEndpoints.noteParking(key, now);
    },

    async forgetParking(key, { parkedAt }) {
      await update(table, key, {
        change: 'REMOVE parkedAt, due, nextSweepAt',
        condition: 'parkedAt = :seen',
        values: { seen: parkedAt },
      });
    },
  };
}

async function enter(
  options: AdmissionOptions,
  key: ConfigurationKey,
  { now, until, reserved }: { now: number; until: number; reserved?: Slot | undefined },
): Promise<AdmissionResult> {
  const { table, limits, chance } = options;
  const result = reserved && (await takeOver(options, key, { reserved, until }));
  if (result) return result;
  // The first try does not read the load, because a slot is nearly always free.
  let load = NO_LOAD;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const free = freeSlots(load, limits, now);
    const number = free[Math.floor(chance() * free.length)];
    if (number === undefined) break;
    const write = await update(table, key, {
      change: 'SET #slot = :until, #ttl = :ttl',
      condition: `(attribute_not_exists(#slot) OR #slot <= :now)${unlessSilent([number], limits)}`,
      names: { slot: slotName(number) },
      values: { until, now, ttl: expiry(until) },
      returns: 'ALL_NEW',
      returnsOld: true,
    });
    if (write.done) return { kind: 'entered', slot: { number, until }, load: loadIn(write.item) };
    load = write.item ? loadIn(write.item) : NO_LOAD;
  }
  return { kind: 'full', load };
}

/** Takes the slot that is reserved for a message. If the message is delivered twice, only one worker gets it. */
async function takeOver(
  { table, limits }: AdmissionOptions,
  key: ConfigurationKey,
  { reserved: { number, until: reservedUntil }, until }: { reserved: Slot; until: number },
): Promise<AdmissionResult | undefined> {
  const write = await update(table, key, {
    change: 'SET #slot = :until, #ttl = :ttl',
    condition: `#slot = :reserved${unlessSilent([number], limits)}`,
    names: { slot: slotName(number) },
    values: { until, reserved: reservedUntil, ttl: expiry(until) },
    returns: 'ALL_NEW',
  });
  return write.done ? { kind: 'entered', slot: { number, until }, load: loadIn(write.item) } : undefined;
}

type HeldRelease = SlotRelease & { readonly slot: Slot };

async function leave(
  table: Table,
  key: ConfigurationKey,
  { slot, outcome, hadTimeouts, reservedUntil }: HeldRelease,
): Promise<Load | undefined> {
  const clears = outcome === 'answered' && hadTimeouts;
  const load = await writeSlot(table, key, {
    slot,
    reservedUntil,
    more: clears ? { removes: SILENCE } : {},
  });
  // Other attempts have timed out since this one began.
  return load && outcome === 'answered' && (load.timeouts > 0 || load.isSilent) ? answersAgain(table, key) : load;
}

const SILENCE = ['timeouts', 'silentFrom'];

async function answersAgain(table: Table, key: ConfigurationKey): Promise<Load | undefined> {
  const write = await update(table, key, { change: `REMOVE ${SILENCE.join(', ')}`, returns: 'ALL_NEW' });
  return write.done ? loadIn(write.item) : undefined;
}

async function leaveAfterTimeout(
  { table, limits }: AdmissionOptions,
  key: ConfigurationKey,
  { slot, now, reservedUntil }: HeldRelease,
): Promise<Load | undefined> {
  const load = await writeSlot(table, key, { slot, reservedUntil, more: { adds: 'timeouts' } });
  if (!load || !becomesSilent(load, { limits, now, isReserved: reservedUntil !== undefined })) return load;
  const write = await update(table, key, {
    change: 'SET silentFrom = :now',
    // Only one of several simultaneous timeouts records it, and none after a response.
    condition: 'attribute_not_exists(silentFrom) AND timeouts >= :seen',
    values: { now, seen: load.timeouts },
    returns: 'ALL_NEW',
    returnsOld: true,
  });
  return loadIn(write.item ?? {});
}

async function reserve(
  { table, limits }: AdmissionOptions,
  key: ConfigurationKey,
  { load, count, now, until }: { load: Load; count: number; now: number; until: number },
): Promise<readonly Slot[]> {
  let current = load;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const numbers = freeSlots(current, limits, now).slice(0, count);
    if (numbers.length === 0) return [];
    const slots = numbers.map(slotName);
    const write = await update(table, key, {
      change: `SET ${slots.map((slot) => `#${slot} = :until`).join(', ')}`,
      condition: `${slots
        .map((slot) => `(attribute_not_exists(#${slot}) OR #${slot} <= :now)`)
        .join(' AND ')}${unlessSilent(numbers, limits)}`,
      values: { until, now },
      returnsOld: true,
    });
    if (write.done) return numbers.map((number) => ({ number, until }));
    current = loadIn(write.item ?? {});
  }
  return [];
}

/**
 * A condition for slots that a silent endpoint does not have: the worker may not know yet that it has become silent.
 */
const unlessSilent = (numbers: readonly number[], { whileSilent }: SlotLimits) =>
  numbers.some((number) => number >= whileSilent) ? ' AND attribute_not_exists(silentFrom)' : '';

const isThrottle = (error: unknown) =>
  error instanceof ProvisionedThroughputExceededException ||
  error instanceof RequestLimitExceeded ||
  (error instanceof Error && error.name === 'ThrottlingException');
