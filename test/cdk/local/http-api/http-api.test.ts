import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute, CfnStage, HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, functionOf, startLocalCloud } from '../../../support/cloud/local-cloud.ts';

const ECHO = 'export const handler = async (event) => event;';
const RESULT = 'export const handler = async (event) => JSON.parse(event.body);';
const FAILING = `export const handler = async (event) => {
  if (event.queryStringParameters?.how === 'slow') await new Promise(() => {});
  if (event.queryStringParameters?.how === 'exit') process.exit(1);
  throw new Error('secret detail');
};`;

let cloud: Cloud;
let dataDir: string;

function fill(stack: Stack) {
  const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
  const stage = new HttpStage(stack, 'Stage', { httpApi: api, autoDeploy: true });
  const { defaultChild } = stage.node;
  if (defaultChild instanceof CfnStage) {
    const format =
      '{"route":"$context.routeKey","status":"$context.status","error":"$context.integrationErrorMessage"}';
    defaultChild.accessLogSettings = { destinationArn: 'arn:aws:logs:us-east-1:000000000000:log-group:access', format };
  }
  const pool = new UserPool(stack, 'Pool');
  const route = (method: HttpMethod, path: string, to: LambdaFunction, more: object = {}) =>
    api.addRoutes({
      path,
      methods: [method],
      integration: new HttpLambdaIntegration(`${to.node.id}Integration`, to),
      ...more,
    });

  const echo = functionOf(stack, 'Echo', ECHO, { environment: { API_URL: `${api.apiEndpoint}/path` } });
  route(HttpMethod.GET, '/items/{id}', echo);
  route(HttpMethod.POST, '/items', echo);
  route(HttpMethod.HEAD, '/items', echo);
  route(HttpMethod.ANY, '/rest/{proxy+}', echo);
  route(HttpMethod.POST, '/result', functionOf(stack, 'Result', RESULT));
  route(HttpMethod.GET, '/failing', functionOf(stack, 'Failing', FAILING, { timeout: Duration.seconds(1) }));
  const slow = functionOf(stack, 'Slow', 'export const handler = () => new Promise(() => {});', {
    timeout: Duration.seconds(60),
  });
  api.addRoutes({
    path: '/slow',
    methods: [HttpMethod.GET],
    integration: new HttpLambdaIntegration('SlowIntegration', slow, { timeout: Duration.millis(300) }),
  });
  const forbidden = functionOf(stack, 'Forbidden', ECHO);
  const integration = new CfnIntegration(stack, 'ForbiddenIntegration', {
    apiId: api.apiId,
    integrationType: 'AWS_PROXY',
    integrationUri: forbidden.functionArn,
    payloadFormatVersion: '2.0',
  });
  const target = `integrations/${integration.ref}`;
  new CfnRoute(stack, 'ForbiddenRoute', { apiId: api.apiId, routeKey: 'GET /forbidden', target });
  new CfnOutput(stack, 'ApiUrl', { value: api.apiEndpoint });
  new CfnOutput(stack, 'PoolId', { value: pool.userPoolId });
  new CfnOutput(stack, 'Issuer', { value: pool.userPoolProviderUrl });
  new CfnOutput(stack, 'KeysUrl', { value: `${pool.userPoolProviderUrl}/.well-known/jwks.json` });
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
  cloud = await startLocalCloud({ app: appOf(fill), dataDir });
});
afterAll(async () => {
  await cloud.close();
  rmSync(dataDir, { recursive: true });
});

const get = (path: string, init: RequestInit = {}) => fetch(`${cloud.apiUrl}${path}`, init);
const result = (value: unknown) =>
  get('/result', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

interface Raw {
  readonly status: number | undefined;
  readonly body: string;
}

/** For what `fetch` does not send. */
function raw(path: string, headers: Record<string, string | string[]>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${cloud.apiUrl}${path}`, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    sent.on('error', reject).end();
  });
}

describe('a request', () => {
  it('reaches its function as an event of format 2.0', async () => {
    const response = await get('/items/a%20b?x=1&x=2', { headers: { Cookie: 'a=1', 'X-Own': 'v' } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      version: '2.0',
      routeKey: 'GET /items/{id}',
      rawPath: '/items/a b',
      rawQueryString: 'x=1&x=2',
      pathParameters: { id: 'a b' },
      queryStringParameters: { x: '1,2' },
      cookies: ['a=1'],
      headers: { 'x-own': 'v' },
      requestContext: { stage: '$default', accountId: '000000000000', http: { method: 'GET', sourceIp: '127.0.0.1' } },
    });
  });

  it('brings its body', async () => {
    const response = await get('/items', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hä' });
    expect(await response.json()).toMatchObject({ body: 'hä', isBase64Encoded: false });
  });

  it('without a route is not found', async () => {
    const response = await get('/nothing');
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('{"message":"Not Found"}');
  });

  it('by another method is not found either', async () => {
    expect((await get('/items', { method: 'DELETE' })).status).toBe(404);
    expect((await get('/items', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('by HEAD gets an answer without a body', async () => {
    const response = await get('/items', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('reaches the API by either address of localhost', async () => {
    const { port } = new URL(cloud.apiUrl);
    expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
    await expect(fetch(`http://localhost:${port}/nothing`)).resolves.toMatchObject({ status: 404 });
  });

  it('gets an answer with its request id', async () => {
    expect((await get('/nothing')).headers.get('apigw-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an answer', () => {
  it('has the status, headers, cookies and bytes of the result', async () => {
    const response = await result({
      statusCode: 418,
      headers: { 'x-own': 'v' },
      cookies: ['a=1; Path=/', 'b=2'],
      isBase64Encoded: true,
      body: 'AP8=',
    });
    expect(response.status).toBe(418);
    expect(response.headers.get('x-own')).toBe('v');
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255]));
  });

  it('without a status code is JSON', async () => {
    const response = await result({ plain: true });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ plain: true });
  });

  it('of 204 and 304 has no body', async () => {
    expect(await (await result({ statusCode: 204, body: 'x' })).text()).toBe('');
    expect(await (await result({ statusCode: 304, body: 'x' })).text()).toBe('');
  });
});

describe('a function that fails', () => {
  const internal = { status: 500, body: '{"message":"Internal Server Error"}' };
  const unavailable = { status: 503, body: '{"message":"Service Unavailable"}' };
  const seen = async (response: Response) => ({ status: response.status, body: await response.text() });

  it.each(['throw', 'exit', 'slow'])('shows nothing of its error: %s', async (how) => {
    expect(await seen(await get(`/failing?how=${how}`))).toEqual(internal);
  });

  it('looks the same as one with an invalid answer', async () => {
    expect(await seen(await result({ statusCode: 'x' }))).toEqual(internal);
  });

  it('by taking longer than the integration is unavailable', async () => {
    expect(await seen(await get('/slow'))).toEqual(unavailable);
  });

  it('by being throttled is unavailable', async () => {
    cloud.faults.throttle('Echo');
    expect(await seen(await get('/items/1'))).toEqual(unavailable);
  });

  it('without permission to be invoked is an internal error', async () => {
    expect(await seen(await get('/forbidden'))).toEqual(internal);
  });
});

describe('limits', () => {
  it('refuse a body above 10 MB', async () => {
    const response = await get('/items', { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect(response.status).toBe(413);
    expect(await response.text()).toBe('{"message":"Request Entity Too Large"}');
  });

  it('refuse such a body also without a Content-Length', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let left = 12;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect((await get('/items', init)).status).toBe(413);
  });

  it('refuse a body that Lambda would not take', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await get('/items', { method: 'POST', headers, body: 'x'.repeat(6_400_000) })).status).toBe(413);
  });

  it('take a request line and headers of 10,240 bytes and no more', async () => {
    const line = 'GET /items/1 HTTP/1.1'.length;
    const host = new URL(cloud.apiUrl).host.length;
    const room = 10_240 - line - host - 'keep-alive'.length;
    const headers = (bytes: number) => ({ connection: 'keep-alive', 'x-long': 'x'.repeat(bytes) });
    expect((await raw('/items/1', headers(room))).status).toBe(200);
    expect(await raw('/items/1', headers(room + 1))).toEqual({
      status: 431,
      body: '{"message":"Request Header Fields Too Large"}',
    });
    expect((await raw(`/items/${'x'.repeat(10_300)}`, {})).status).toBe(414);
  });
});

describe('the access log', () => {
  it('has a line per request in the format of the stage', async () => {
    await get('/failing');
    await get('/nothing');
    const lines = readFileSync(join(dataDir, 'logs', 'access.log'), 'utf8')
      .trim()
      .split('\n');
    const last = lines.slice(-2).map((line) => JSON.parse(line) as unknown);
    expect(last).toEqual([
      { route: 'GET /failing', status: '500', error: 'Error: secret detail' },
      { route: '-', status: '404', error: '-' },
    ]);
  });
});

describe('the address of the API', () => {
  it('is the local one wherever the template names the one on AWS', () => {
    expect(cloud.outputs['ApiUrl']).toBe(cloud.apiUrl);
  });

  it('is also that of the public keys of a user pool, whose issuer keeps its AWS name', async () => {
    const { PoolId: pool = '', KeysUrl = '', Issuer } = cloud.outputs;
    expect(KeysUrl).toBe(`${cloud.awsUrl}/${pool}/.well-known/jwks.json`);
    expect(await (await fetch(KeysUrl)).json()).toMatchObject({ keys: [{ kty: 'RSA', alg: 'RS256' }] });
    expect(Issuer).toBe(`https://cognito-idp.us-east-1.amazonaws.com/${pool}`);
  });
});
