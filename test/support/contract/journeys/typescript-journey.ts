/**
 * A program for the package that `npm run client` writes: it walks one journey per interface and prints the outcomes as JSON.
 */
export const TYPESCRIPT_JOURNEY = `
import { ApiError, basic } from 'five-services-client/api-client';
import { ConversionsClient } from 'five-services-client/conversions';
import { DataClient } from 'five-services-client/data';
import { LoyaltyClient, type LoyaltyCode } from 'five-services-client/loyalty';
import { ManagementClient, type ManagementCode, type Rule } from 'five-services-client/management';

declare const process: { readonly env: { readonly [name: string]: string } };
declare const console: { log(text: string): void };
const { API_URL: url = '', MANAGEMENT_TOKEN, CONVERSION_KEY } = process.env;

async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The call should have been refused.');
}

async function management() {
  const client = new ManagementClient({ url, authorization: \`Bearer \${MANAGEMENT_TOKEN}\` });
  const target = { name: 'Journey', targetUrl: 'https://hooks.invalid/journey' };
  const made = await client.createApiConfiguration({ body: target }, { idempotencyKey: 'journey-1' });
  const again = await client.createApiConfiguration({ body: target }, { idempotencyKey: 'journey-1' });
  const configuration = made.data.id;
  for (const trigger of ['DSAR starts', 'DSAR is completed', 'Stage started']) {
    await client.createRule({ body: { module: 'dsar', trigger, apiConfigurationId: configuration, body: { id: '{{requestId}}' } } });
  }
  const rules: Rule[] = [];
  for await (const rule of client.iterateRules({ configuration, limit: 2 })) rules.push(rule);
  const event = { id: 'evt-1', module: 'dsar', trigger: 'Task is completed', recordType: 'request', recordId: '1', data: {} } as const;
  const sent = await client.sendEvent({ body: event });
  const missing = await errorOf(client.getRule({ id: 'rule_none' }));
  const expected: ManagementCode = 'not-found';
  // @ts-expect-error -- no operation of the interface has this code
  const other: ManagementCode = 'argument_error';
  return { isOnce: again.data.id === configuration, triggers: rules.map(({ trigger }) => trigger).sort(), sent: sent.status, missing: [missing.status, missing.code === expected, missing.code === other] };
}

async function conversions() {
  const client = new ConversionsClient({ url, authorization: \`Bearer \${CONVERSION_KEY}\` });
  const body = { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 } as const;
  const { data, headers } = await client.convertValues({ body }, { idempotencyKey: 'journey-1' });
  const again = await client.convertValues({ body }, { idempotencyKey: 'journey-1' });
  const { data: usage } = await client.getUsage();
  const stale = await errorOf(client.convertValues({ body, 'X-Data-Version': '1999' }));
  return { value: 'value' in data ? data.value : undefined, cost: headers.get('x-quota-cost'), isReplay: again.headers.get('idempotent-replayed'), used: usage.test_used, stale: stale.code };
}

async function records() {
  const client = new DataClient({ url, authorization: basic('demo-token') });
  const preview = await client.searchRecords({ type: 'products', q: '*:*', records: 1 });
  const users = await client.listUsers();
  const requests: unknown[] = [];
  for await (const request of client.iterateDataRequests()) requests.push(request);
  const wrong = await errorOf(client.searchRecords({ type: 'products', q: 'colour:red' }));
  return { preview: preview.status, users: users.data.length, requests: requests.length, wrong: [wrong.status, wrong.message] };
}

async function loyalty() {
  const client = new LoyaltyClient({ url, authorization: basic('demo-app', 'demo-secret') });
  const { data: token } = await client.createAnonymousToken({ api_key: 'demo-app' });
  const customer = { api_key: 'demo-app', auth_token: token.auth_token };
  const position = { 'location[latitude]': 47.62, 'location[longitude]': -122.35 };
  const { data: list } = await client.listPlacesNearby({ ...customer, ...position });
  const far = await errorOf(client.listPlacesNearby({ ...customer, ...position, 'location[latitude]': 91 }));
  const code: LoyaltyCode = 'argument_error';
  return { list: list.status, far: [far.status, far.code === code] };
}

console.log(JSON.stringify({ management: await management(), conversions: await conversions(), records: await records(), loyalty: await loyalty() }));
`;
