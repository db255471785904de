import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type Account, counterOf } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import { attributesOf } from '../../../functions/conversions/billing/balances/account-item.dynamodb.ts';
import { meterKey } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import type { Caller, Spend } from '../../../functions/conversions/billing/metering/admission.ts';
import type { PlanName } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import { newSubscription, onPlan } from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { dynamoDbClient, marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import type { LocalEndpoint } from '../cloud/local-endpoint.ts';
import { createTable } from '../cloud/local-table.ts';

/** Microseconds; the 10th of a month, so that a period of that month has begun and not ended. */
export const NOW = Date.UTC(2026, 10, 10) * 1_000;
export const SECOND = 1_000_000;

const KEYS: Account['credentials'] = {
  live1: { mode: 'live', state: 'active', hash: 'hash-live1' },
  live2: { mode: 'live', state: 'active', hash: 'hash-live2' },
  test1: { mode: 'test', state: 'active', hash: 'hash-test1' },
  test2: { mode: 'test', state: 'active', hash: 'hash-test2' },
  client1: { mode: 'test', state: 'active', hash: 'hash-client1' },
};

/** An account on a plan, with a bucket that is full and three kinds of credentials. */
export function account(plan: PlanName = 'growth', members: Partial<Account> = {}): Account {
  const free = newSubscription('USD', NOW / 1_000);
  const item = newAccount(plan === 'free' ? free : onPlan(free, plan, NOW / 1_000), NOW / 1_000);
  return { ...item, credentials: KEYS, ...members };
}

/** A caller with one of these keys; that of an OAuth client has no hash. */
export const callerOf = (tenant: string, credentialId: keyof typeof KEYS = 'live1'): Caller => ({
  tenant,
  mode: credentialId.startsWith('live') ? 'live' : 'test',
  credentialId,
  ...(credentialId.startsWith('client') ? {} : { hash: `hash-${credentialId}` }),
});

export const spendOf = (tenant: string, credentialId?: keyof typeof KEYS): Spend => ({
  caller: callerOf(tenant, credentialId),
  counts: true,
});

export const usedLive = (item: Account, period = item.periodId): number => Number(item[counterOf(period)] ?? 0);

/** The table with a client that waits for a busy machine: hundreds of calls start at the same time. */
export async function patientTable(endpoint: LocalEndpoint, name: string): Promise<Table> {
  const table = await createTable(endpoint, name);
  return { ...table, client: dynamoDbClient(endpoint.clientOptions()) };
}

let accounts = 0;

/** Stores the account under a tenant of its own. */
export async function stored(table: Table, item: Account): Promise<string> {
  const tenant = `tenant-${(accounts += 1)}`;
  await put(table, tenant, item);
  return tenant;
}

export const put = (table: Table, tenant: string, item: Account) =>
  table.client.send(
    new PutItemCommand({ TableName: table.name, Item: marshalled({ ...meterKey(tenant), ...attributesOf(item) }) }),
  );
