import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

let endpoint: LocalEndpoint;
let handler: HttpHandler;
loggedLines();
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  const { endpoint: url, region, credentials } = endpoint.clientOptions();
  const environment = {
    ACCOUNTS_TABLE: (await createTable(endpoint, 'accounts')).name,
    WEBHOOKS_TABLE: (await createTable(endpoint, 'webhooks')).name,
    RETENTION_DAYS: '30',
    EVENTS_PER_DAY: '2',
    AWS_ENDPOINT_URL: url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler } = await import('../../../functions/webhooks/events/events.handler.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

async function announce(tenant: string, id: string) {
  const event = {
    routeKey: 'POST /manage/v1/events',
    rawQueryString: '',
    headers: {},
    body: JSON.stringify({
      id,
      module: 'dsar',
      trigger: 'DSAR starts',
      recordType: 'Request',
      recordId: 'r',
      data: {},
    }),
    requestContext: {
      requestId: 'r-1',
      http: { method: 'POST' },
      authorizer: { lambda: { tenant, operator: false, scopes: ['events'], subject: 'server' } },
    },
    isBase64Encoded: false,
  } as unknown as HttpEvent;
  const { statusCode, headers, body = '' } = await handler(event, { awsRequestId: 'i-1' } as Context);
  return { status: statusCode, headers, json: JSON.parse(body) };
}

it('a tenant that has used up its events of the day is refused, and no other one', async () => {
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => announce('busy', id)));
  expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['202', '202', '429', '429']);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({ code: 'quota-exceeded', status: 429 });
  expect(refused?.headers?.['retry-after']).toMatch(/^\d+$/);
  expect((await announce('calm', 'a')).status).toBe(202);
});
