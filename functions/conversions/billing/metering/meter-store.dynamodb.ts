import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { bucketExpressions } from '#shared/metering/bucket-write';
import { type Item, type Key, marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { CREDENTIAL } from '../../table-keys.ts';
import { bucketOf, counterOf, TEST_COUNTER } from '../balances/account.ts';
import { accountIn, attributeOf, LIFE_COUNTER } from '../balances/account-item.dynamodb.ts';
import { meterKey } from '../balances/account-store.dynamodb.ts';
import { type Caller, isOverflowId } from './admission.ts';
import type { MeterStore, Taken, Taking } from './meter.ts';
import { OverflowCredentials } from './overflow-credentials.ts';
import { whenFree } from './rejected-call.ts';

export const credentialKey = (id: string): Key => ({ pk: `${CREDENTIAL}${id}`, sk: 'CREDENTIAL' });

type Advance = MeterStore['advance'];

/** Stores accounts as items of this table. @param advance applies changes that have come due */
export function meterStore(table: Table, { advance, now }: { advance: Advance; now: () => number }): MeterStore {
  const { client, name } = table;

  async function read(key: Key, abortSignal: AbortSignal): Promise<Item | undefined> {
    const get = new GetItemCommand({ TableName: name, Key: marshall(key), ConsistentRead: true });
    const { Item: item } = await whenFree(() => client.send(get, { abortSignal }), abortSignal);
    return item && unmarshall(item);
  }

  const overflow = new OverflowCredentials((id, signal) => read(credentialKey(id), signal), now);
  return {
    async read(tenant, signal) {
      const item = await read(meterKey(tenant), signal);
      return item && accountIn(item);
    },
    take: (taking, abortSignal) => take(table, taking, abortSignal),
    advance,
    async giveBack({ tenant, counter }, abortSignal) {
      const isLive = counter !== TEST_COUNTER;
      const update = new UpdateItemCommand({
        TableName: name,
        Key: marshall(meterKey(tenant)),
        UpdateExpression: `SET #q = #q - :one${isLive ? `, ${LIFE_COUNTER} = if_not_exists(${LIFE_COUNTER}, :zero) - :one` : ''}`,
        ConditionExpression: '#q >= :one',
        ExpressionAttributeNames: { '#q': attributeOf(counter) },
        ExpressionAttributeValues: marshall({ ':one': 1, ...(isLive && { ':zero': 0 }) }),
      });
      return (await whenAllowed(whenFree(() => client.send(update, { abortSignal })))).done;
    },
    knowsOverflow: (caller, signal) => overflow.knows(caller, signal),
  };
}

/** The write is never aborted: it may have happened, and only its answer shows that. */
async function take({ client, name }: Table, taking: Taking, signal: AbortSignal): Promise<Taken> {
  const update = new UpdateItemCommand({
    TableName: name,
    Key: marshall(meterKey(taking.caller.tenant)),
    ...expressionsOf(taking),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const taken = await whenAllowed(whenFree(() => client.send(update), signal));
  if (!taken.done) return { done: false, item: taken.item && accountIn(taken.item) };
  return { done: true, item: accountIn(unmarshall(taken.result.Attributes ?? {})) };
}

/**
 * Checks key, rate and quota in one condition. The condition contains everything that could have changed since the item
 * was last seen: the version of the limits, the end of the period, the state of the key, the branch, and the limit
 * beside its counter.
 */
function expressionsOf({ caller, counts, item, ...write }: Taking) {
  const credential = credentialCondition(caller);
  const counter = caller.mode === 'test' ? TEST_COUNTER : counterOf(item.periodId);
  const limit = caller.mode === 'test' ? 'testQuota' : 'hardLimit';
  const token = bucketExpressions(write, bucketOf(item));
  const counting = ['#used', ...(caller.mode === 'live' ? [LIFE_COUNTER] : [])]
    .map((name) => `${name} = if_not_exists(${name}, :zero) + :one`)
    .join(', ');
  const conditions = [
    ...credential.conditions,
    'pv = :version AND vu > :now',
    token.condition,
    ...(counts ? ['((attribute_not_exists(#used) AND #limit > :zero) OR #used < #limit)'] : []),
  ];
  return {
    UpdateExpression: `SET ${token.change}${counts ? `, ${counting}` : ''}`,
    ConditionExpression: conditions.join(' AND '),
    ...namesAndValues(
      { ...credential.names, ...(counts && { '#used': attributeOf(counter), '#limit': attributeOf(limit) }) },
      {
        ...credential.values,
        ':version': item.version,
        ':now': write.now,
        ...token.values,
        ...(counts && { ':zero': 0, ':one': 1 }),
      },
    ),
  };
}

interface Condition {
  readonly conditions: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** DynamoDB rejects an empty list of names. */
const namesAndValues = (names: Record<string, string>, values: object) => ({
  ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
  ExpressionAttributeValues: marshalled(values),
});

function credentialCondition({ credentialId, hash }: Caller): Condition {
  if (isOverflowId(credentialId)) return { conditions: [], names: {}, values: {} };
  return {
    conditions: ['ks.#key.s = :active', ...(hash === undefined ? [] : ['ks.#key.h = :hash'])],
    names: { '#key': credentialId },
    values: { ':active': 'A', ':hash': hash },
  };
}
