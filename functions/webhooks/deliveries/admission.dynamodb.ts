import {
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { log } from '#shared/log';
import { type Item, type Key, marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { LOAD } from '../table-keys.ts';
import {
  type Admission,
  type ConfigurationKey,
  type Entered,
  freeSlot,
  type HowItWent,
  type Load,
  pauseAfter,
  type Refused,
  type Slot,
  type Visit,
} from './admission.ts';

export interface AdmissionOptions {
  readonly table: Table;
  /** The most attempts at a time for one configuration. */
  readonly slots: number;
  /** From 0 to 1; spreads the choice of slots. */
  readonly chance: () => number;
}

const loadKey = ({ tenant, configurationId }: ConfigurationKey): Key => ({
  pk: `${LOAD}${tenant}#${configurationId}`,
  sk: 'LOAD',
});

const TRIES = 4;
/** The load of an endpoint is forgotten when it has not been called for a day. */
const KEPT_SECONDS = 86_400;

const NO_LOAD: Load = { slots: new Map(), timeouts: 0, pauses: 0 };

const full = ({ timeouts }: Load): Entered => ({ kind: 'full', hasTimedOut: timeouts > 0 });

/** Two writes per attempt: one takes a slot, the other returns it. */
export function admission(options: AdmissionOptions): Admission {
  const refusals = new Refusals();
  return {
    refusal: (key, now) => refusals.of(key, now),

    async enter(key, lease) {
      const known = refusals.of(key, lease.now);
      if (known) return known;
      // Many workers write the same item: being too busy for a write counts as being full.
      const entered = await enter(options, key, lease).catch((error: unknown): Entered => {
        if (isThrottle(error)) return full(NO_LOAD);
        throw error;
      });
      if (entered.kind !== 'entered') refusals.note(key, entered, lease.now);
      return entered;
    },

    async leave(key, visit, how, now) {
      try {
        if (how === 'timed-out') await leaveAfterTimeout(options, key, { visit, now });
        else await leave(options, key, { visit, how, now });
      } catch (error) {
        // The slot is a lease and ends by itself; a delivered webhook must not be delivered again because of it.
        const { tenant, configurationId: configuration } = key;
        log.warn('slot not returned', { tenant, configuration, error: String(error) });
      }
    },
  };
}

async function enter(
  { table, slots, chance }: AdmissionOptions,
  key: ConfigurationKey,
  { now, until }: { now: number; until: number },
): Promise<Entered> {
  // The first try does not read the load: nearly always there is room.
  let load = NO_LOAD;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const number = freeSlot(load, { of: slots, now, chance: chance() });
    if (number === undefined) return full(load);
    if (load.pausedUntil !== undefined && load.pausedUntil > now) {
      return { kind: 'paused', until: load.pausedUntil, pauses: load.pauses };
    }
    const isProbe = load.pausedUntil !== undefined;
    const write = await update(table, key, {
      UpdateExpression: `SET #slot = :until, #ttl = :ttl${isProbe ? ', pausedUntil = :until' : ''}`,
      // During a pause, the worker that moves the end of the pause makes the one attempt.
      ConditionExpression: `(attribute_not_exists(#slot) OR #slot <= :now) AND ${
        isProbe ? 'pausedUntil = :seen' : 'attribute_not_exists(pausedUntil)'
      }`,
      ExpressionAttributeNames: { '#slot': `slot${number}`, '#ttl': 'ttl' },
      ExpressionAttributeValues: marshalled({
        ':until': until,
        ':now': now,
        ':ttl': Math.floor(until / 1000) + KEPT_SECONDS,
        ...(isProbe && { ':seen': load.pausedUntil }),
      }),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    if (write.done) {
      const seen = loadIn(unmarshall(write.result.Attributes ?? {}));
      return { kind: 'entered', slot: { number, until }, load: seen, isProbe };
    }
    load = write.item ? loadIn(write.item) : NO_LOAD;
  }
  return full(load);
}

async function leave(
  { table }: AdmissionOptions,
  key: ConfigurationKey,
  { visit: { slot, load, isProbe }, how, now }: { visit: Visit; how: HowItWent; now: number },
): Promise<void> {
  const isAnsweringAgain = how === 'answered' && (load.timeouts > 0 || isProbe);
  // A worker that moved the end of the pause and made no attempt leaves the probe to the next worker.
  const isUnusedProbe = how === 'unused' && isProbe;
  await update(table, key, {
    UpdateExpression: `${isUnusedProbe ? 'SET pausedUntil = :now ' : ''}REMOVE #slot${
      isAnsweringAgain ? ', timeouts, pauses, pausedUntil' : ''
    }`,
    ...slotHeld(slot, isUnusedProbe ? { ':now': now } : {}),
  });
}

async function leaveAfterTimeout(
  { table, slots }: AdmissionOptions,
  key: ConfigurationKey,
  { visit: { slot, isProbe }, now }: { visit: Visit; now: number },
): Promise<void> {
  const write = await update(table, key, {
    UpdateExpression: 'REMOVE #slot ADD timeouts :one',
    ...slotHeld(slot, { ':one': 1 }),
    ReturnValues: 'ALL_NEW',
  });
  if (!write.done) return;
  const load = loadIn(unmarshall(write.result.Attributes ?? {}));
  const pausedUntil = pauseAfter(load, { slots, now, isProbe });
  if (pausedUntil === undefined) return;
  await update(table, key, {
    UpdateExpression: 'SET pausedUntil = :until, pauses = :pauses',
    // Of several timeouts at once, one sets the pause.
    ConditionExpression: isProbe ? 'pausedUntil = :seen' : 'attribute_not_exists(pausedUntil)',
    ExpressionAttributeValues: marshalled({
      ':until': pausedUntil,
      ':pauses': load.pauses + 1,
      ...(isProbe && { ':seen': load.pausedUntil }),
    }),
  });
}

const update = (table: Table, key: ConfigurationKey, input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) =>
  whenAllowed(
    table.client.send(new UpdateItemCommand({ TableName: table.name, Key: marshalled(loadKey(key)), ...input })),
  );

const FULL_MILLIS = 1_000;
/** A pause that ends before its time is noticed this late. */
const PAUSED_MILLIS = 15_000;
const REMEMBERED_MAX = 1_000;

/**
 * Refusals of the last seconds, so that a long backlog of one configuration does not try its item thousands of times. A
 * refused write costs as much as a successful one.
 */
class Refusals {
  private readonly known = new Map<string, { readonly refused: Refused; readonly until: number }>();

  of(key: ConfigurationKey, now: number): Refused | undefined {
    const found = this.known.get(nameOf(key));
    return found && found.until > now ? found.refused : undefined;
  }

  note(key: ConfigurationKey, refused: Refused, now: number): void {
    if (this.known.size >= REMEMBERED_MAX) this.known.clear();
    const until = refused.kind === 'full' ? now + FULL_MILLIS : Math.min(refused.until, now + PAUSED_MILLIS);
    this.known.set(nameOf(key), { refused, until });
  }
}

const nameOf = ({ tenant, configurationId }: ConfigurationKey) => `${tenant}#${configurationId}`;

const isThrottle = (error: unknown) =>
  error instanceof ProvisionedThroughputExceededException ||
  error instanceof RequestLimitExceeded ||
  (error instanceof Error && error.name === 'ThrottlingException');

/** Only while this worker still holds the slot: after its lease ran out, another worker may hold it. */
const slotHeld = ({ number, until }: Slot, values: Item = {}) => ({
  ConditionExpression: '#slot = :until',
  ExpressionAttributeNames: { '#slot': `slot${number}` },
  ExpressionAttributeValues: marshalled({ ':until': until, ...values }),
});

function loadIn(item: Item): Load {
  const slots = Object.entries(item).flatMap(([name, value]): [number, number][] => {
    const number = /^slot(\d+)$/.exec(name)?.[1];
    return number === undefined ? [] : [[Number(number), Number(value)]];
  });
  const { timeouts = 0, pauses = 0, pausedUntil } = item;
  return { slots: new Map(slots), timeouts, pauses, ...(pausedUntil !== undefined && { pausedUntil }) };
}
