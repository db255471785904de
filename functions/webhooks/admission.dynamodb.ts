import { UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Item, type Key, marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { type Admission, type ConfigurationKey, freeSlot, type Load, pauseAfter, type Slot } from './runs/admission.ts';

export interface AdmissionOptions {
  readonly table: Table;
  /** Most attempts at a time for one configuration. */
  readonly slots: number;
  /** From 0 to 1; spreads the choice of slots. */
  readonly chance: () => number;
}

const loadKey = ({ tenant, configurationId }: ConfigurationKey): Key => ({
  pk: `LOAD#${tenant}#${configurationId}`,
  sk: 'LOAD',
});

const TRIES = 4;
/** Nothing needs to be known of an endpoint that nobody has called for a day. */
const KEPT_SECONDS = 86_400;

const NO_LOAD: Load = { slots: new Map(), timeouts: 0, pauses: 0 };

/** Two writes an attempt: one takes a slot, the other gives it back. */
export const admission = ({ table, slots, chance }: AdmissionOptions): Admission => {
  const update = (key: ConfigurationKey, input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) =>
    whenAllowed(
      table.client.send(new UpdateItemCommand({ TableName: table.name, Key: marshalled(loadKey(key)), ...input })),
    );

  return {
    async enter(key, { now, until }) {
      // Blind at first: nearly always there is room.
      let load = NO_LOAD;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const number = freeSlot(load, { of: slots, now, chance: chance() });
        if (number === undefined) return { kind: 'full' };
        if (load.pausedUntil !== undefined && load.pausedUntil > now)
          return { kind: 'paused', until: load.pausedUntil };
        const isProbe = load.pausedUntil !== undefined;
        const write = await update(key, {
          UpdateExpression: `SET #slot = :until, #ttl = :ttl${isProbe ? ', pausedUntil = :until' : ''}`,
          // While the endpoint is left alone, whoever moves the end of the pause makes the one attempt.
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
          return { kind: 'entered', slot: { number, until }, load: loadIn(unmarshall(write.result.Attributes ?? {})) };
        }
        load = write.item ? loadIn(write.item) : NO_LOAD;
      }
      return { kind: 'full' };
    },

    async leave(key, { slot, load }, how, now) {
      if (how === 'timed-out') return leaveAfterTimeout(key, slot, now);
      const isAnsweringAgain = how === 'answered' && (load.timeouts > 0 || load.pausedUntil !== undefined);
      // Whoever ends the pause and then makes no attempt leaves that to the next one.
      const isUnusedProbe = how === 'unused' && load.pausedUntil !== undefined;
      await update(key, {
        UpdateExpression: `${isUnusedProbe ? 'SET pausedUntil = :now ' : ''}REMOVE #slot${
          isAnsweringAgain ? ', timeouts, pauses, pausedUntil' : ''
        }`,
        ...slotHeld(slot, isUnusedProbe ? { ':now': now } : {}),
      });
    },
  };

  async function leaveAfterTimeout(key: ConfigurationKey, slot: Slot, now: number) {
    const write = await update(key, {
      UpdateExpression: 'REMOVE #slot ADD timeouts :one',
      ...slotHeld(slot, { ':one': 1 }),
      ReturnValues: 'ALL_NEW',
    });
    if (!write.done) return;
    const load = loadIn(unmarshall(write.result.Attributes ?? {}));
    const pausedUntil = pauseAfter(load, { slots, now });
    if (pausedUntil === undefined) return;
    await update(key, {
      UpdateExpression: 'SET pausedUntil = :until, pauses = :pauses',
      // Of several timeouts at once, one sets the pause.
      ConditionExpression: load.pausedUntil === undefined ? 'attribute_not_exists(pausedUntil)' : 'pausedUntil = :seen',
      ExpressionAttributeValues: marshalled({
        ':until': pausedUntil,
        ':pauses': load.pauses + 1,
        ...(load.pausedUntil !== undefined && { ':seen': load.pausedUntil }),
      }),
    });
  }
};

/** Only while the slot is still ours: a lease that ran out may be somebody else's by now. */
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
