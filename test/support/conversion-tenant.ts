import type { RunningService } from './running-service.ts';
import { requestsTo } from './service-calls.ts';

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

/** Makes tenants of a running service that call the conversion API, each with a meter of its own. */
export function conversionTenants(service: RunningService) {
  const operator = requestsTo(service, () => Date.now());
  let tenants = 0;

  return async (plan: Plan = 'growth') => {
    tenants += 1;
    const { id: tenant } = await operator.made('accounts', { name: `Tenant ${tenants} ${plan}`, plan });
    const key = async (mode: 'live' | 'test'): Promise<string> =>
      (await operator.made(`accounts/${tenant}/keys`, { mode })).key;
    const test = await key('test');

    async function call(path: string, body?: unknown, options: CallOptions = {}) {
      const { method = 'POST', credential = test, headers = {}, text = JSON.stringify(body) } = options;
      const sent = method === 'GET' || method === 'HEAD' ? {} : { body: text ?? '' };
      return service.call(path, {
        method,
        headers: {
          ...(credential !== null && { authorization: `Bearer ${credential}` }),
          'content-type': 'application/json',
          ...headers,
        },
        ...sent,
      });
    }

    return {
      tenant,
      test,
      key,
      call,
      usage: async (credential = test) => (await call('/v1/usage', undefined, { method: 'GET', credential })).json,
      manage: operator.manage,
    };
  };
}

export type ConversionTenant = Awaited<ReturnType<ReturnType<typeof conversionTenants>>>;
