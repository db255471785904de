import { ProvisionedThroughputExceededException, RequestLimitExceeded } from '@aws-sdk/client-dynamodb';
import { getItem, marshalled, type Table } from '#shared/table.dynamodb';
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
import { KnownFull } from './known-full.ts';
import { expiry, loadIn, loadKey, loadOf, slotName, update, writeSlot } from './load-items.dynamodb.ts';

export interface AdmissionOptions {
  readonly table: Table;
  /** The most attempts at a time for one configuration. */
  readonly limits: SlotLimits;
  /** From 0 to 1; spreads the choice of slots. */
  readonly chance: () => number;
}

const TRIES = 4;
/** A note that a run was about to be parked is as good as a new one for so long. */
const NOTED_MILLIS = 1_000;

const NO_LOAD: Load = { slots: new Map(), timeouts: 0, isSilent: false };

/** Two writes per attempt: one takes a slot, the other returns it. */
export function admission(options: AdmissionOptions): Admission {
  const { table } = options;
  const known = new KnownFull();
  return {
    async enter(key, lease) {
      const full = lease.handed ? undefined : known.of(key, lease.now);
      if (full) return { kind: 'full', load: full };
      // Many workers write the same item.
      const entered = await enter(options, key, lease).catch((error: unknown): AdmissionResult => {
        if (isThrottle(error)) return { kind: 'busy' };
        throw error;
      });
      if (entered.kind === 'full') known.note(key, entered.load, lease.now);
      return entered;
    },

    leave(key, slot, release) {
      known.forget(key);
      return release.outcome === 'timed-out'
        ? leaveAfterTimeout(options, key, { slot, ...release })
        : leave(table, key, { slot, ...release });
    },

    load: async (key) => loadIn((await getItem(table, loadKey(key))) ?? {}),

    reserve: (key, load, lease) => reserve(options, key, { load, ...lease }),

    async noteParking(key, load, now) {
      if (load.parkedAt !== undefined && now - load.parkedAt < NOTED_MILLIS) return;
      // By `due` and `lookAt` every sweep finds it.
      await update(table, key, {
        UpdateExpression: 'SET parkedAt = :now, due = :due, lookAt = :always, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: marshalled({
          ':now': now,
          ':due': dueShardOf(key.configurationId),
          ':always': 0,
          ':ttl': expiry(now),
        }),
      });
      known.noteParking(key, now);
    },

    async forgetParking(key, { parkedAt }) {
      await update(table, key, {
        UpdateExpression: 'REMOVE parkedAt, due, lookAt',
        ConditionExpression: 'parkedAt = :seen',
        ExpressionAttributeValues: marshalled({ ':seen': parkedAt }),
      });
    },
  };
}

async function enter(
  options: AdmissionOptions,
  key: ConfigurationKey,
  { now, until, handed }: { now: number; until: number; handed?: Slot | undefined },
): Promise<AdmissionResult> {
  const { table, limits, chance } = options;
  const taken = handed && (await takeOver(options, key, { handed, until }));
  if (taken) return taken;
  // The first try does not read the load: nearly always there is room.
  let load = NO_LOAD;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const free = freeSlots(load, limits, now);
    const number = free[Math.floor(chance() * free.length)];
    if (number === undefined) break;
    const write = await update(table, key, {
      UpdateExpression: 'SET #slot = :until, #ttl = :ttl',
      ConditionExpression: `(attribute_not_exists(#slot) OR #slot <= :now)${unlessSilent([number], limits)}`,
      ExpressionAttributeNames: { '#slot': slotName(number), '#ttl': 'ttl' },
      ExpressionAttributeValues: marshalled({ ':until': until, ':now': now, ':ttl': expiry(until) }),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    if (write.done) return { kind: 'entered', slot: { number, until }, load: loadOf(write.result.Attributes) };
    load = write.item ? loadIn(write.item) : NO_LOAD;
  }
  return { kind: 'full', load };
}

/** Of a message that comes twice, one takes the slot. */
async function takeOver(
  { table, limits }: AdmissionOptions,
  key: ConfigurationKey,
  { handed: { number, until: handedUntil }, until }: { handed: Slot; until: number },
): Promise<AdmissionResult | undefined> {
  const write = await update(table, key, {
    UpdateExpression: 'SET #slot = :until, #ttl = :ttl',
    ConditionExpression: `#slot = :handed${unlessSilent([number], limits)}`,
    ExpressionAttributeNames: { '#slot': slotName(number), '#ttl': 'ttl' },
    ExpressionAttributeValues: marshalled({ ':until': until, ':handed': handedUntil, ':ttl': expiry(until) }),
    ReturnValues: 'ALL_NEW',
  });
  return write.done ? { kind: 'entered', slot: { number, until }, load: loadOf(write.result.Attributes) } : undefined;
}

type Leaving = SlotRelease & { readonly slot: Slot };

async function leave(
  table: Table,
  key: ConfigurationKey,
  { slot, outcome, hadTimeouts, keptUntil }: Leaving,
): Promise<Load | undefined> {
  const clears = outcome === 'answered' && hadTimeouts;
  const load = await writeSlot(table, key, {
    slot,
    keptUntil,
    more: clears ? { removes: SILENCE } : {},
  });
  // Others have timed out since this attempt began.
  return load && outcome === 'answered' && (load.timeouts > 0 || load.isSilent) ? answersAgain(table, key) : load;
}

const SILENCE = ['timeouts', 'silentFrom'];

async function answersAgain(table: Table, key: ConfigurationKey): Promise<Load | undefined> {
  const write = await update(table, key, {
    UpdateExpression: `REMOVE ${SILENCE.join(', ')}`,
    ReturnValues: 'ALL_NEW',
  });
  return write.done ? loadOf(write.result.Attributes) : undefined;
}

async function leaveAfterTimeout(
  { table, limits }: AdmissionOptions,
  key: ConfigurationKey,
  { slot, now, keptUntil }: Leaving,
): Promise<Load | undefined> {
  const load = await writeSlot(table, key, { slot, keptUntil, more: { adds: 'timeouts' } });
  if (!load || !becomesSilent(load, { limits, now, isKept: keptUntil !== undefined })) return load;
  const write = await update(table, key, {
    UpdateExpression: 'SET silentFrom = :now',
    // Of several timeouts at once, one says so; and none after an answer.
    ConditionExpression: 'attribute_not_exists(silentFrom) AND timeouts >= :seen',
    ExpressionAttributeValues: marshalled({ ':now': now, ':seen': load.timeouts }),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  return write.done ? loadOf(write.result.Attributes) : loadIn(write.item ?? {});
}

async function reserve(
  { table, limits }: AdmissionOptions,
  key: ConfigurationKey,
  { load, count, now, until }: { load: Load; count: number; now: number; until: number },
): Promise<readonly Slot[]> {
  let seen = load;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const numbers = freeSlots(seen, limits, now).slice(0, count);
    if (numbers.length === 0) return [];
    const names = numbers.map((number, n) => [`#slot${n}`, slotName(number)] as const);
    const write = await update(table, key, {
      UpdateExpression: `SET ${names.map(([name]) => `${name} = :until`).join(', ')}`,
      ConditionExpression: `${names
        .map(([name]) => `(attribute_not_exists(${name}) OR ${name} <= :now)`)
        .join(' AND ')}${unlessSilent(numbers, limits)}`,
      ExpressionAttributeNames: Object.fromEntries(names),
      ExpressionAttributeValues: marshalled({ ':until': until, ':now': now }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    if (write.done) return numbers.map((number) => ({ number, until }));
    seen = loadIn(write.item ?? {});
  }
  return [];
}

/** The worker may not know yet that the endpoint has become silent. */
const unlessSilent = (numbers: readonly number[], { whileSilent }: SlotLimits) =>
  numbers.some((number) => number >= whileSilent) ? ' AND attribute_not_exists(silentFrom)' : '';

const isThrottle = (error: unknown) =>
  error instanceof ProvisionedThroughputExceededException ||
  error instanceof RequestLimitExceeded ||
  (error instanceof Error && error.name === 'ThrottlingException');
