import { type Table, transact } from '#shared/table/table.dynamodb';
import { IS_NEW, putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import { log } from '#shared/telemetry/log';
import { LATE_USAGE } from '../../table-keys.ts';
import { counterOf, subscriptionOf, TEST_COUNTER } from '../balances/account.ts';
import { attributeOf, LIFE_COUNTER } from '../balances/account-item.dynamodb.ts';
import { meterKey, readAccount } from '../balances/account-store.dynamodb.ts';
import type { LateUsage } from '../metering/late-usage.ts';
import { periodAt } from '../subscriptions/subscription.ts';

/** The retention of the marker: longer than a message can stay in the queue and its dead-letter queue. */
const RETENTION_DAYS = 30;

/** Counts or gives back a conversion, once for each id: a marker is written in the same transaction. */
export async function recordLateUsage(table: Table, usage: LateUsage, now: number): Promise<void> {
  const counter = usage.counter ?? (await counterAt(table, usage));
  if (counter === undefined) return log.warn('late usage of an unknown account', { tenant: usage.tenant });
  const item = {
    pk: `${LATE_USAGE}${usage.id}`,
    sk: 'LATE_USAGE',
    tenant: usage.tenant,
    counter,
    amount: usage.amount,
    ttl: Math.floor(now / 1_000) + RETENTION_DAYS * 86_400,
  };
  const mark = putWrite(table.name, item, IS_NEW);
  const count = updateWrite(table.name, meterKey(usage.tenant), {
    change: `ADD #counter :amount${counter === TEST_COUNTER ? '' : `, ${LIFE_COUNTER} :amount`}`,
    condition: `attribute_exists(pk)${boundOf(counter, usage.amount)}`,
    names: { counter: attributeOf(counter) },
    values: { amount: usage.amount, ...(usage.amount < 0 && { zero: 0 }) },
  });
  const counted = await transact(table, [mark, count]);
  if (counted.done || counted.refused[0]) return;
  log.warn('late usage beyond its bounds, or of an account that is gone', { tenant: usage.tenant, usage: usage.id });
}

/** The pool is never exceeded; a period may be, by the usage that an outage let through. No counter falls below zero. */
function boundOf(counter: string, amount: number): string {
  if (amount < 0) return ' AND #counter > :zero';
  return counter === TEST_COUNTER ? ' AND #counter < tq' : '';
}

/** The counter of the period that contains the time of the request. */
async function counterAt(table: Table, { tenant, mode, at }: LateUsage): Promise<string | undefined> {
  if (mode === 'test') return TEST_COUNTER;
  const item = await readAccount(table, tenant);
  if (!item) return undefined;
  return counterOf(periodAt(subscriptionOf(item), at).id);
}
