import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { meterKey } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { clientOptions } from '../cloud/local-cloud.ts';
import type { RunningService } from '../cloud/running-service.ts';
import { requestsTo } from '../cloud/service-calls.ts';
import { checkLimitsOf } from './told-limits.ts';

export type Plan = 'free' | 'starter' | 'growth' | 'scale';

/** How a call of `/v1` differs from a POST of this JSON with the credential. */
export interface CallOptions {
  readonly method?: string;
  /** @default the tenant's test key; null sends none */
  readonly credential?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it stands. @default the JSON of the body */
  readonly text?: string | Uint8Array<ArrayBuffer>;
}

/**
 * Makes tenants of a running service that call the conversion API, each with a meter of its own. Every answer is checked
 * for what it tells of its limits.
 */
export async function conversionTenants(service: RunningService) {
  const operator = requestsTo(service, () => Date.now());
  const dynamodb = new DynamoDBClient(clientOptions(service.cloud));
  let tenants = 0;

  return async (plan: Plan = 'growth', billingCurrency: 'USD' | 'EUR' | 'GBP' = 'USD') => {
    tenants += 1;
    const { id: tenant } = await operator.made('accounts', {
      name: `Tenant ${tenants} ${plan}`,
      plan,
      billingCurrency,
    });
    const key = async (mode: 'live' | 'test'): Promise<string> =>
      (await operator.made(`accounts/${tenant}/keys`, { mode })).key;
    const test = await key('test');

    async function call(path: string, body?: unknown, options: CallOptions = {}) {
      const { method = 'POST', credential = test, headers = {}, text = JSON.stringify(body) } = options;
      const sent = method === 'GET' || method === 'HEAD' ? {} : { body: text ?? '' };
      const answer = await service.call(path, {
        method,
        headers: {
          ...(credential !== null && { authorization: `Bearer ${credential}` }),
          'content-type': 'application/json',
          ...headers,
        },
        ...sent,
      });
      checkLimitsOf(method, path.replace(/\?.*/, ''), answer);
      return answer;
    }

    return {
      tenant,
      test,
      key,
      call,
      usage: async (credential = test) => (await call('/v1/usage', undefined, { method: 'GET', credential })).json,
      /** As an operator, below the tenant's account. */
      manage: (method: string, path: string, body?: unknown) =>
        operator.manage(method, `/manage/v1/accounts/${tenant}/${path}`, body),
      /** Writes what is used into the table, as if so many requests had been made before. */
      setUsed: async (counters: Readonly<Record<string, number>>) => {
        const names = Object.keys(counters);
        await dynamodb.send(
          new UpdateItemCommand({
            TableName: service.cloud.outputs['ConversionsTable'],
            Key: marshall(meterKey(tenant)),
            UpdateExpression: `SET ${names.map((name, n) => `#${n} = :${name}`).join(', ')}`,
            ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#${n}`, name])),
            ExpressionAttributeValues: marshall(
              Object.fromEntries(Object.entries(counters).map(([name, count]) => [`:${name}`, count])),
            ),
          }),
        );
      },
    };
  };
}

export type ConversionTenant = Awaited<ReturnType<Awaited<ReturnType<typeof conversionTenants>>>>;
