/** Accounts of conversions with plans, in the real table: what tests of plans, invoices and credentials begin with. */
import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Account } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import { addAccount, readAccount } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { AccountCache } from '../../../functions/conversions/billing/metering/account-cache.ts';
import type { Caller } from '../../../functions/conversions/billing/metering/admission.ts';
import { admit } from '../../../functions/conversions/billing/metering/meter.ts';
import { meterStore } from '../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import type { PlanName } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import { newSubscription, onPlan } from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { newId } from '../../../shared/ids.ts';
import { type Item, marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { Killed, Mortality } from '../faults/mortal-clients.ts';

/** The fifteenth of a month: paid periods that begin now are named `p20261115`. */
export const BOOKED_AT = Date.parse('2026-11-15T10:30:00.000Z');

const HASH = 'hash of the key';

/** A stored account of a new tenant that books this plan now, with one live key, `key`. */
export async function booked(table: Table, plan: PlanName, members: Partial<Account> = {}): Promise<string> {
  const tenant = newId('t').replaceAll('_', '-').toLowerCase();
  const free = newSubscription('USD', BOOKED_AT);
  const item = newAccount(plan === 'free' ? free : onPlan(free, plan, BOOKED_AT), BOOKED_AT);
  await addAccount(table, tenant, {
    ...item,
    credentials: { key: { mode: 'live', state: 'active', hash: HASH } },
    ...members,
  });
  return tenant;
}

const callerOf = (tenant: string): Caller => ({ tenant, mode: 'live', credentialId: 'key', hash: HASH });

export async function itemOf(table: Table, tenant: string): Promise<Account> {
  const item = await readAccount(table, tenant);
  if (!item) throw new Error(`There is no account ${tenant}.`);
  return item;
}

/** The items of a tenant whose keys begin with this prefix. */
export async function itemsOf(table: Table, prefix: string, tenant: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: ScanCommand['input']['ExclusiveStartKey'];
  do {
    const page = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        ConsistentRead: true,
        FilterExpression: 'begins_with(pk, :prefix)',
        ExpressionAttributeValues: marshalled({ ':prefix': `${prefix}${tenant}` }),
        ExclusiveStartKey: start,
      }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

export const putItem = (table: Table, item: Item) =>
  table.client.send(new PutItemCommand({ TableName: table.name, Item: marshalled(item) }));

/** Metered requests on an account, several at a time, while the work is done: it begins with the first answer. @returns how many were admitted */
export async function duringTraffic(
  table: Table,
  tenant: string,
  { clients, now }: { readonly clients: number; readonly now: number },
  work: () => Promise<unknown>,
): Promise<number> {
  const over = new AbortController();
  const begun = Date.now();
  const millis = () => now + Date.now() - begun;
  const store = meterStore(table, { advance: async () => undefined, now: millis });
  const parts = { store, cache: new AccountCache(), now: () => millis() * 1_000, report: () => undefined };
  const answered = new EventEmitter();
  const client = async () => {
    let admitted = 0;
    while (!over.signal.aborted) {
      const { kind } = await admit(parts, { caller: callerOf(tenant), counts: true }, AbortSignal.timeout(60_000));
      answered.emit('answer');
      if (kind === 'admitted') admitted += 1;
      // A function that knows of a denial answers without a call.
      else await setImmediate();
    }
    return admitted;
  };
  const begins = once(answered, 'answer');
  const working = Promise.all(Array.from({ length: clients }, client));
  await begins;
  await work().finally(() => over.abort());
  return (await working).reduce((sum, one) => sum + one, 0);
}

/**
 * Runs the work once for each of its AWS calls and both ways to die there, each time from the start and then again
 * without dying. @param begin makes what the work is done on
 */
export async function killedEverywhere<T>(
  table: Table,
  begin: () => Promise<T>,
  work: (table: Table, on: T) => Promise<unknown>,
): Promise<T[]> {
  const calm = new Mortality();
  const first = await begin();
  await work({ name: table.name, client: calm.bind(table.client) }, first);
  const done = [first];
  for (let call = 1; call <= calm.calls; call += 1) {
    for (const when of ['before', 'after'] as const) {
      const on = await begin();
      const mortality = new Mortality(call, when);
      await work({ name: table.name, client: mortality.bind(table.client) }, on).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      await work(table, on);
      done.push(on);
    }
  }
  return done;
}
