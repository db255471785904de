import { type AccountStatus, type StatusOf, SUSPENDED } from '#shared/auth/account-status';
import type { KeySecrets } from '#shared/auth/self-proving-key';
import { cachedLookups } from '#shared/cached-lookups';
import type { HttpEvent } from '#shared/http/http-handler';
import { repeatedParameter, twice } from '#shared/http/query';
import type { TenantKey } from '#shared/ids';
import { customerOf } from './anonymous-token.ts';
import type { App, KnownApp, KnownApps } from './app.ts';
import { isAppSecret } from './app-secret.ts';
import { basicCredentials } from './basic-credentials.ts';
import {
  CUSTOMER_ID_CHARACTERS_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  type KnownCustomer,
  type KnownCustomers,
} from './customer.ts';
import { loyaltyError } from './loyalty-error.ts';

/** The customer of a call. */
export interface LoyaltyCustomer extends KnownCustomer {
  /** True for a customer that exists only by its token, without a profile or external id. */
  readonly anonymous: boolean;
}

/** The caller of the loyalty interfaces: an app, on behalf of a customer if the call names one. */
export interface LoyaltyCaller {
  readonly app: App;
  readonly customer?: LoyaltyCustomer;
}

interface Callers {
  readonly apps: KnownApps;
  readonly customers: KnownCustomers;
  readonly secretsOf: (now: number) => Promise<KeySecrets>;
  readonly statusOf: StatusOf;
  /**
   * Deleted apps and customers, erased anonymous customers and replaced secrets are still accepted for this long.
   * @default 10 seconds
   */
  readonly cacheMillis?: number;
}

const APPS_MAX = 1_000;
/** An unknown key is cached too: keys are random, so nobody has one before its app exists. */
const UNKNOWN_APP_MILLIS = 60_000;
const CUSTOMERS_MAX = 10_000;
const APP_ID_CHARACTERS_MAX = 100;

/**
 * Identifies callers. `/priv` takes the app's key and secret from HTTP Basic, and the customer from the path, or from
 * `auth_token` if the path names none. `/api` takes the app's key from the path, and `auth_token`.
 */
export function loyaltyCallers({ apps, customers, secretsOf, statusOf, cacheMillis = 10_000 }: Callers) {
  const appById = cachedApps(apps, cacheMillis);
  const cached = cachedCustomers(customers, cacheMillis);

  async function knownApp(id: string, now: number): Promise<KnownApp> {
    const app = await appById(id, now);
    if (!app) throw loyaltyError('invalid_api_key', 'There is no app with this api key.');
    return app;
  }

  /** The app of the key and secret in the header. It must be the app of the path. */
  async function appByHeader(event: HttpEvent, now: number): Promise<KnownApp> {
    const credentials = basicCredentials(event.headers['authorization']);
    if (!credentials) throw denied('Send the api key and the api secret: Authorization: Basic base64(KEY:SECRET).');
    const app = await knownApp(credentials.name, now);
    if (app.id !== event.pathParameters?.['api_key']) throw denied('The path names another api key than the header.');
    if (!isAppSecret(credentials.password, app.secretHash)) throw denied('The api secret is not valid.');
    return app;
  }

  async function customerInPath({ tenant }: App, event: HttpEvent, now: number): Promise<LoyaltyCustomer | undefined> {
    const { user_id: id, external_id: externalId } = event.pathParameters ?? {};
    if (id === undefined && externalId === undefined) return undefined;
    const customer =
      id === undefined
        ? await cached.byExternalId(tenant, externalId ?? '', now)
        : await cached.byId({ tenant, id }, now);
    if (!customer) throw loyaltyError('user_not_found', 'There is no such customer.');
    return { ...customer, anonymous: false };
  }

  async function customerOfToken(app: App, token: string | undefined, now: number): Promise<LoyaltyCustomer> {
    const id = token === undefined ? undefined : await customerOf(token, app, await secretsOf(now), now);
    const customer = id === undefined ? undefined : await cached.anonymous({ tenant: app.tenant, id }, now);
    if (customer) return { ...customer, anonymous: true };
    throw loyaltyError('invalid_auth_token', 'The auth_token is missing, not valid for this app, or has expired.');
  }

  async function callerOf(event: HttpEvent, now: number): Promise<LoyaltyCaller> {
    const token = new URLSearchParams(event.rawQueryString).get('auth_token') ?? undefined;
    if (isPublic(event)) {
      const app = await knownApp(event.pathParameters?.['api_key'] ?? '', now);
      const customer = await customerOfToken(app, token, now);
      requireActive(await statusOf(app.tenant, now));
      return { app, customer };
    }
    const app = await appByHeader(event, now);
    requireActive(await statusOf(app.tenant, now));
    const customer = await customerInPath(app, event, now);
    if (customer) return { app, customer };
    return token === undefined ? { app } : { app, customer: await customerOfToken(app, token, now) };
  }

  return async (event: HttpEvent, now: number): Promise<LoyaltyCaller> => {
    const caller = await callerOf(event, now);
    const repeated = repeatedParameter(event.rawQueryString);
    if (repeated !== undefined) throw loyaltyError('argument_error', `${twice(repeated)}.`);
    return caller;
  };
}

function cachedApps(apps: KnownApps, millis: number) {
  const cache = cachedLookups<KnownApp>({ max: APPS_MAX, millis, unknownMillis: UNKNOWN_APP_MILLIS });
  return async (id: string, now: number): Promise<KnownApp | undefined> =>
    id === '' || id.length > APP_ID_CHARACTERS_MAX ? undefined : cache(id, now, () => apps.byId(id));
}

/** Caches customers by each of their ids. An id longer than any valid one is not looked up. */
function cachedCustomers(customers: KnownCustomers, millis: number) {
  const cache = cachedLookups<KnownCustomer>({ max: CUSTOMERS_MAX, millis });
  return {
    async byId(key: TenantKey, now: number): Promise<KnownCustomer | undefined> {
      if (key.id === '' || key.id.length > CUSTOMER_ID_CHARACTERS_MAX) return undefined;
      return cache(`${key.tenant}#id#${key.id}`, now, () => customers.byId(key));
    },

    async byExternalId(tenant: string, id: string, now: number): Promise<KnownCustomer | undefined> {
      if (id === '' || id.length > EXTERNAL_ID_CHARACTERS_MAX) return undefined;
      return cache(`${tenant}#external#${id}`, now, () => customers.byExternalId(tenant, id));
    },

    anonymous: (key: TenantKey, now: number) =>
      cache(`${key.tenant}#anonymous#${key.id}`, now, () => customers.anonymous(key)),
  };
}

function requireActive({ active }: AccountStatus): void {
  if (!active) throw loyaltyError('account_suspended', SUSPENDED);
}

/** The customer of the call. Throws if the call names none. */
export function requireCustomer({ customer }: LoyaltyCaller): LoyaltyCustomer {
  if (!customer) throw loyaltyError('requires_registered_user', 'This needs a customer: name one in the path.');
  return customer;
}

/** Decided by the route, so that only the gateway interprets paths. All routes outside `/api` need the secret. */
const isPublic = ({ routeKey }: HttpEvent) => /^[A-Z]+ \/api\//.test(routeKey);

const denied = (message: string) => loyaltyError('access_denied', message);
