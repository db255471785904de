import type { Context } from 'aws-lambda';
import * as z from 'zod';
import type { Account } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import {
  addAccount,
  advancedAccount,
  readAccount,
} from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { AccountCache } from '../../../functions/conversions/billing/metering/account-cache.ts';
import { Breaker } from '../../../functions/conversions/billing/metering/breaker.ts';
import type { LateUsage } from '../../../functions/conversions/billing/metering/late-usage.ts';
import { meterStore } from '../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import { Metering } from '../../../functions/conversions/billing/metering/metering.ts';
import type { PlanName } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import { newSubscription, onPlan } from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { authenticator } from '../../../functions/conversions/serving/authenticate.ts';
import { meteredRoute, type RouteParts } from '../../../functions/conversions/serving/metered-route.ts';
import { UNRESTRICTED } from '../../../shared/auth/account-status.ts';
import { newKey } from '../../../shared/auth/self-proving-key.ts';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
import { answerStore } from '../../../shared/idempotency/answer-store.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';

const SECRETS = { 1: 'a server secret of at least 32 characters' };
/** Longer than any call of a busy machine takes. */
const GRACE_PERIOD_MILLIS = 20_000;

/** What one function has of a metered route: the parts of `route-parts.dynamodb.ts`, with clients that a test chooses. */
export function functionParts(table: Table, { micros = () => Date.now() * 1_000 }: { micros?: () => number } = {}) {
  const late: LateUsage[] = [];
  const millis = () => Math.floor(micros() / 1_000);
  const metering = new Metering(
    {
      store: meterStore(table, {
        advance: (tenant, item) => advancedAccount(table, tenant, item, millis()),
        now: millis,
      }),
      cache: new AccountCache(() => 0),
      now: micros,
      breaker: new Breaker(millis),
      lateUsage: { send: async (usage) => void late.push(usage) },
      report: () => undefined,
    },
    { callMillis: GRACE_PERIOD_MILLIS, requestMillis: GRACE_PERIOD_MILLIS },
  );
  const statusOf = async () => UNRESTRICTED;
  const parts: RouteParts = {
    metering,
    answers: answerStore(table, GRACE_PERIOD_MILLIS),
    noteUse: async () => undefined,
    announceThresholds: async () => undefined,
    authenticate: authenticator(async () => SECRETS, statusOf),
    statusOf,
    micros,
    clock: millis,
    deadlineMillis: GRACE_PERIOD_MILLIS,
  };
  return { parts, late };
}

interface AccountOptions {
  readonly plan?: PlanName;
  readonly own?: Partial<Account>;
}

/** An account in the table with a live and a test key. */
export async function storedAccount(table: Table, { plan = 'growth', own = {} }: AccountOptions = {}) {
  const tenant = crypto.randomUUID();
  const live = newKey({ kind: 'cv_live', tenant, id: 'klive' }, SECRETS);
  const test = newKey({ kind: 'cv_test', tenant, id: 'ktest' }, SECRETS);
  const now = Date.now();
  const item: Account = {
    ...newAccount(onPlan(newSubscription('USD', now), plan, now), now),
    credentials: {
      klive: { mode: 'live', state: 'active', hash: live.hash },
      ktest: { mode: 'test', state: 'active', hash: test.hash },
    },
    ...own,
  };
  await addAccount(table, tenant, item);
  const current = async () => {
    const account = await readAccount(table, tenant);
    if (!account) throw new Error(`There is no account ${tenant}.`);
    return account;
  };
  return { tenant, live: live.key, test: test.key, counter: `q_${item.periodId}`, current };
}

export interface RouteCall {
  readonly key: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestId?: string;
  /** Left of the function's time. */
  readonly remainingMillis?: number;
}

/** Calls a route as the gateway does. */
export async function callRoute(
  handler: HttpHandler,
  { key, body = '{"n":1}', headers = {}, requestId = crypto.randomUUID(), remainingMillis = 10_000 }: RouteCall,
) {
  const event = {
    routeKey: 'POST /v1/convert',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    requestContext: { requestId, http: { method: 'POST', path: '/v1/convert' } },
    body,
    isBase64Encoded: false,
  } as unknown as HttpEvent;
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => remainingMillis } as Context;
  const { statusCode, headers: answered = {}, body: text = '' } = await handler(event, context);
  return { status: statusCode, headers: answered as Record<string, string>, text, json: JSON.parse(text) };
}

/** A route that doubles a number, and how often it did so. 13 cannot be doubled; 500 is a fault. */
export function doublingRoute(parts: RouteParts, meanwhile: () => Promise<unknown> = async () => undefined) {
  let runs = 0;
  const handler = meteredRoute(parts, {
    item: z.strictObject({ n: z.number() }),
    result: z.object({ double: z.number(), run: z.number() }),
    async work({ n }) {
      runs += 1;
      const run = runs;
      await meanwhile();
      if (n === 13) throw new ItemRefusal('unparseable-value', 'It cannot be doubled.');
      if (n === 500) throw new Error('a fault');
      return { double: 2 * n, run };
    },
  });
  return { call: (call: RouteCall) => callRoute(handler, call), runs: () => runs };
}

const RATE = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy', 'ratelimit'];
const QUOTA = ['x-quota-limit', 'x-quota-remaining', 'x-quota-cost', 'x-data-version'];
/** Names of the headers that an answer of a metered route lacks. */
export const missingHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  [...RATE, ...QUOTA].filter((name) => headers[name] === undefined);
