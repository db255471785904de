/** The table of conversions with accounts whose keys work, and calls of the convert route by their callers. */
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { type Account, counterOf, INLINE_MAX } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import { attributesOf } from '../../../functions/conversions/billing/balances/account-item.dynamodb.ts';
import { meterKey } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { KEY_KINDS } from '../../../functions/conversions/billing/credentials/credential-kinds.ts';
import type { PlanName } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import { newSubscription, onPlan } from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { type KeySecrets, newKey } from '../../../shared/auth/self-proving-key.ts';
import type { HttpEvent } from '../../../shared/http/http-handler.ts';
import { marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { type EndpointProcess, startEndpointProcess } from '../endpoint-process.ts';

export const SECRETS: KeySecrets = { 1: 'a secret of the bench that is long enough' };

export interface MeteredService {
  readonly endpoint: EndpointProcess;
  readonly table: Table;
  /** An account on the plan, with as many keys as its item takes; returns one of them. */
  account(tenant: string, plan: PlanName): Promise<string>;
  close(): Promise<void>;
}

export async function startMeteredService(): Promise<MeteredService> {
  const endpoint = await startEndpointProcess(JSON.stringify(SECRETS));
  const table = await createTable(endpoint, 'conversions');
  return {
    endpoint,
    table,
    async account(tenant, plan) {
      const keys = Array.from({ length: INLINE_MAX }, (_, n) => {
        const id = `k${String(n).padStart(9, '0')}`;
        return { id, ...newKey({ kind: KEY_KINDS.live, tenant, id }, SECRETS) };
      });
      const item = itemOf(plan, keys);
      await table.client.send(
        new PutItemCommand({ TableName: table.name, Item: marshalled({ ...meterKey(tenant), ...attributesOf(item) }) }),
      );
      return keys[0]?.key ?? '';
    },
    close: () => endpoint.close(),
  };
}

/** In its second period, so that it counts two of them. */
function itemOf(plan: PlanName, keys: readonly { readonly id: string; readonly hash: string }[]): Account {
  const now = Date.now();
  const item = newAccount(onPlan(newSubscription('USD', now), plan, now), now);
  const announced = { periodId: 'p20261009', included: item.included, percent: 100 };
  return {
    ...item,
    credentials: Object.fromEntries(keys.map(({ id, hash }) => [id, { mode: 'live', state: 'active', hash: hash }])),
    subscription: { ...item.subscription, paymentMethod: 'ach' },
    announcedThreshold: announced,
    [counterOf(announced.periodId)]: 48_811,
    [counterOf(item.periodId)]: 12_345,
  };
}

const BODY = JSON.stringify({ kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 });
let requests = 0;

/** One item to convert, as the gateway hands it over. */
export function convertCall(key: string, headers: Readonly<Record<string, string>> = {}): HttpEvent {
  requests += 1;
  return {
    version: '2.0',
    routeKey: 'POST /v1/convert',
    rawPath: '/v1/convert',
    rawQueryString: '',
    headers: {
      'accept-encoding': 'gzip',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      host: 'api.example.com',
      'user-agent': 'bench',
      'x-forwarded-for': '192.0.2.1',
      ...headers,
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'a1b2c3d4e5',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method: 'POST', path: '/v1/convert', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'bench' },
      requestId: `JKJaXmPLv${String(requests).padStart(7, '0')}`,
      routeKey: 'POST /v1/convert',
      stage: '$default',
      time: '10/Nov/2026:12:00:00 +0000',
      timeEpoch: Date.now(),
    },
    body: BODY,
    isBase64Encoded: false,
  };
}

export const invoked = (): Context =>
  ({ awsRequestId: crypto.randomUUID(), getRemainingTimeInMillis: () => 9_000 }) as Context;
