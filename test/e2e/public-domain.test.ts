/** A stage with a domain of its own, behind a proxy that does what CloudFront does. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DomainProxy, startDomainProxy } from '../support/cloud/domain-proxy.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { DEMO_PASSWORD } from '../support/console/console-visitor.ts';

const DOMAIN = 'api.example.test';
const SECRET = 'only-the-proxy-knows-this';
/** Two addresses of this machine, in networks of their own. */
const [ONE, OTHER] = ['127.0.11.1', '127.0.22.2'];

let service: RunningService;
let proxy: DomainProxy;
beforeAll(async () => {
  service = await startService({
    context: {
      domainName: DOMAIN,
      certificate: 'arn:aws:acm:us-east-1:111122223333:certificate/1234abcd',
    },
    parameters: { OriginSecret: SECRET },
  });
  proxy = await startDomainProxy({ origin: service.cloud.apiUrl, secret: SECRET });
});
afterAll(async () => {
  await proxy?.close();
  await service?.close();
});

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The address of the viewer. */
  readonly from?: string;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request to the domain, as it would arrive there from an address. */
const visit = (path: string, { method = 'GET', headers = {}, body, from = ONE }: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { method, headers: { host: DOMAIN, ...headers }, localAddress: from };
    const sent = httpRequest(proxy.url + path, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.once('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });

const signIn = (fields: Record<string, string>, { headers, ...sent }: Sent = {}) =>
  visit('/console/sign-in', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: `https://${DOMAIN}`,
      ...headers,
    },
    body: new URLSearchParams({ name: 'demo', password: DEMO_PASSWORD, ...fields }).toString(),
    ...sent,
  });

it.each(['/v3/openapi.json', '/v1/openapi.json', '/manage/v1/openapi.json', '/loyalty/openapi.json'])(
  'names the domain as the server of %s',
  async (path) => {
    expect(JSON.parse((await visit(path)).text).servers).toEqual([{ url: `https://${DOMAIN}` }]);
  },
);

it('has the domain in the addresses that commands print', () => {
  expect(service.cloud.outputs).toMatchObject({
    ApiUrl: `https://${DOMAIN}`,
    ConsoleUrl: `https://${DOMAIN}/console`,
  });
});

it('signs people into the console, returns them to their page, and shows it with calls of the management API', async () => {
  const page = '/console/t/demo/rules?module=dsar';
  const signed = await signIn({ return: page });
  expect([signed.status, signed.headers.location]).toEqual([303, page]);
  const cookie = (signed.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
  const rules = await visit(page, { headers: { cookie } });
  expect(rules.status).toBe(200);
  expect(rules.text).toContain('Rules');
  const lost = await visit('/console/t/demo/rules/new', {
    method: 'POST',
    headers: {
      referer: `https://${DOMAIN}/console/t/demo/rules/new`,
      origin: `https://${DOMAIN}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'a=b',
  });
  expect(lost.status).toBe(401);
  expect(lost.text).toContain('name="return" value="/console/t/demo/rules/new"');
});

it('refuses a form that a page of the gateway itself sent', async () => {
  const { host } = new URL(service.cloud.apiUrl);
  expect((await signIn({}, { headers: { origin: `http://${host}` } })).status).toBe(403);
});

/** What a client might send to look like another one. */
const FORGED = { 'x-forwarded-for': OTHER, 'cloudfront-viewer-address': `${OTHER}:443`, 'x-origin-secret': SECRET };

it('counts wrong passwords by the address of the viewer, which no header of the viewer changes', async () => {
  const wrong = { name: 'nobody-here', password: 'Wrong-password-1' };
  const refused = [];
  for (let n = 0; n < 6; n += 1) refused.push((await signIn(wrong, { headers: n < 3 ? {} : FORGED })).status);
  expect(refused).toEqual([403, 403, 403, 403, 403, 429]);
  expect((await signIn(wrong, { from: OTHER })).status).toBe(403);
});

it('writes the address of the viewer into the audit log and into the lines of functions', async () => {
  const authorization = `Bearer ${await service.managementToken('demo')}`;
  const created = await visit('/manage/v1/api-configurations', {
    method: 'POST',
    headers: { ...FORGED, authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Desk', targetUrl: 'https://hooks.example.com/', authentication: { type: 'none' } }),
  });
  expect(created.status).toBe(201);
  const { items } = JSON.parse((await visit('/manage/v1/audit?limit=1', { headers: { authorization } })).text);
  expect(items).toMatchObject([{ address: ONE }]);
  const lines = service.cloud.logsOf('Configurations').map((line) => JSON.stringify(line));
  expect(lines.filter((line) => line.includes('POST /manage/v1/api-configurations')).join()).toContain(ONE);
});

it.each([
  ['without the secret', {}],
  ['with another secret of the same length', { 'x-origin-secret': 'x'.repeat(SECRET.length) }],
  ['with the headers of CloudFront', { via: '2.0 x (CloudFront)', 'cloudfront-viewer-address': '192.0.2.1:443' }],
])('refuses every interface to a caller who goes round the domain %s', async (_how, headers) => {
  const token = `Bearer ${await service.managementToken('demo')}`;
  const direct = (path: string, init: RequestInit = {}) =>
    fetch(service.cloud.apiUrl + path, { redirect: 'manual', ...init, headers: { authorization: token, ...headers } });
  const refusals = await Promise.all([
    direct('/manage/v1/rules'),
    direct('/v3/requests'),
    direct('/v1/convert', { method: 'POST', body: '{}' }),
    direct('/oauth/token', { method: 'POST', body: '' }),
    direct('/api/v1/apps/demo-app/places'),
    direct('/console'),
    direct('/docs'),
    direct('/v3/openapi.json'),
    direct('/manage/v1/nothing'),
  ]);
  // The loyalty interfaces refuse with 401 whom they do not serve.
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 401, 403, 403, 403, 403]);
  expect(await refusals[0]?.json()).toMatchObject({
    code: 'not-through-domain',
    detail: `This API is served at https://${DOMAIN}.`,
  });
});
