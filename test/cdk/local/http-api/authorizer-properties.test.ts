import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration, type Stack } from 'aws-cdk-lib';
import {
  CfnAuthorizer,
  CfnRoute,
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpStage,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, functionOf, startLocalCloud } from '../../../support/cloud/local-cloud.ts';

const ECHO = 'export const handler = async ({ requestContext }) => requestContext.authorizer ?? {};';
const SIMPLE = `export const handler = async ({ identitySource: [key] }) => {
  console.log('asked ' + key);
  if (key === 'throws') throw new Error('Unauthorized');
  if (key === 'unknown') return { errorMessage: 'Unauthorized' };
  if (key === 'odd') return { isAuthorized: 'true' };
  return { isAuthorized: key === 'good', context: { tenant: 'acme', limits: { perDay: 5 } } };
};`;
const FORMAT = '{"status":"$context.status","error":"$context.authorizer.error","tenant":"$context.authorizer.tenant"}';

let cloud: Cloud;
let dataDir: string;

function fill(stack: Stack) {
  const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
  const { defaultChild } = new HttpStage(stack, 'Stage', { httpApi: api, autoDeploy: true }).node;
  if (defaultChild instanceof CfnStage) {
    defaultChild.accessLogSettings = {
      destinationArn: 'arn:aws:logs:us-east-1:000000000000:log-group:l',
      format: FORMAT,
    };
  }
  const echo = functionOf(stack, 'Echo', ECHO);
  const route = (path: string, authorizer: IHttpRouteAuthorizer) =>
    api.addRoutes({ path, methods: [HttpMethod.GET], integration: new HttpLambdaIntegration(path, echo), authorizer });
  const simple = functionOf(stack, 'Simple', SIMPLE);
  const identitySource = ['$request.header.X-Key'];
  const responseTypes = [HttpLambdaResponseType.SIMPLE];
  const resultsCacheTtl = Duration.seconds(0);
  route('/simple', new HttpLambdaAuthorizer('Fresh', simple, { identitySource, responseTypes, resultsCacheTtl }));
  const cached = new HttpLambdaAuthorizer('Cached', functionOf(stack, 'Cached', SIMPLE), {
    identitySource,
    responseTypes,
    resultsCacheTtl: Duration.seconds(60),
  });
  route('/cached/one', cached);
  route('/cached/two', cached);
  const unpermitted = new CfnAuthorizer(stack, 'Unpermitted', {
    apiId: api.apiId,
    name: 'unpermitted',
    authorizerType: 'REQUEST',
    authorizerPayloadFormatVersion: '2.0',
    enableSimpleResponses: true,
    authorizerUri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${functionOf(stack, 'Unused', SIMPLE).functionArn}/invocations`,
    identitySource,
  });
  const [first] = api.addRoutes({
    path: '/unpermitted',
    methods: [HttpMethod.GET],
    integration: new HttpLambdaIntegration('u', echo),
  });
  const declared = first?.node.defaultChild;
  if (declared instanceof CfnRoute) {
    declared.authorizationType = 'CUSTOM';
    declared.authorizerId = unpermitted.ref;
  }
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
  cloud = await startLocalCloud({ app: appOf(fill), dataDir });
});
afterAll(async () => {
  await cloud.close();
  rmSync(dataDir, { recursive: true });
});

async function get(path: string, key?: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${cloud.apiUrl}${path}`, { headers: key === undefined ? {} : { 'x-key': key } });
  return { status: response.status, body: await response.json() };
}

const asked = (name: string) => cloud.logsOf(name).filter(({ message }) => String(message).includes('asked')).length;

function lastLogLine(): unknown {
  const lines = readFileSync(join(dataDir, 'logs', 'access.log'), 'utf8')
    .trim()
    .split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

describe('a route with a Lambda authoriser', () => {
  const forbidden = { status: 403, body: { message: 'Forbidden' } };
  const unauthorized = { status: 401, body: { message: 'Unauthorized' } };
  const internal = { status: 500, body: { message: 'Internal Server Error' } };

  it('hands its context to the function and to the access log', async () => {
    const context = { tenant: 'acme', limits: { perDay: 5 } };
    expect(await get('/simple', 'good')).toEqual({ status: 200, body: { lambda: context } });
    expect(lastLogLine()).toEqual({ status: '200', error: '-', tenant: 'acme' });
  });

  it('forbids what the authoriser denies', async () => {
    expect(await get('/simple', 'bad')).toEqual(forbidden);
    expect(lastLogLine()).toEqual({ status: '403', error: '-', tenant: '-' });
  });

  it('answers 401 without credentials, and does not invoke the authoriser', async () => {
    const before = asked('Simple');
    expect(await get('/simple')).toEqual(unauthorized);
    expect(asked('Simple')).toBe(before);
    expect(await get('/simple', 'unknown')).toEqual(unauthorized);
    expect(asked('Simple')).toBe(before + 1);
  });

  it('is an internal error when the authoriser throws or returns an invalid answer', async () => {
    expect(await get('/simple', 'throws')).toEqual(internal);
    expect(lastLogLine()).toMatchObject({ status: '500', error: 'Error: Unauthorized' });
    expect(await get('/simple', 'odd')).toEqual(internal);
    expect(lastLogLine()).toMatchObject({ error: 'The response of the authorizer is malformed.' });
  });

  it('is an internal error when API Gateway may not invoke the authoriser', async () => {
    expect(await get('/unpermitted', 'good')).toEqual(internal);
    expect(lastLogLine()).toMatchObject({ error: 'API Gateway is not allowed to invoke the authorizer.' });
    expect(await get('/unpermitted')).toEqual(unauthorized);
  });

  it('caches an answer for its declared time, for all its routes', async () => {
    expect((await get('/cached/one', 'good')).status).toBe(200);
    expect((await get('/cached/two', 'good')).status).toBe(200);
    expect(asked('Cached')).toBe(1);
    cloud.clock.advance(61_000);
    expect((await get('/cached/one', 'good')).status).toBe(200);
    expect(asked('Cached')).toBe(2);
  });
});

describe('an authoriser of a template', () => {
  let other: Cloud | undefined;
  afterEach(async () => {
    await other?.close();
    other = undefined;
  });

  const starting = async (change: object) => {
    other = await startLocalCloud({
      app: appOf((stack) => {
        const { apiId } = new HttpApi(stack, 'Api');
        new CfnAuthorizer(stack, 'Authorizer', {
          apiId,
          name: 'authorizer',
          authorizerType: 'REQUEST',
          authorizerPayloadFormatVersion: '2.0',
          enableSimpleResponses: true,
          authorizerUri: 'arn:aws:lambda:us-east-1:000000000000:function:f',
          ...change,
        });
      }),
    });
  };

  it.each([
    ['of format 1.0', { authorizerPayloadFormatVersion: '1.0' }, 'in format 2.0'],
    ['that caches without an identity', { authorizerResultTtlInSeconds: 5 }, 'without an identity source'],
    ['that caches for more than an hour', { authorizerResultTtlInSeconds: 3601 }, 'AuthorizerResultTtlInSeconds'],
    [
      'with another identity source',
      { identitySource: ['$request.querystring.key'] },
      'headers as identity sources only',
    ],
    ['with policies as responses', { enableSimpleResponses: false }, 'simple responses only'],
    ['of JWTs', { authorizerType: 'JWT' }, 'Lambda authorisers only'],
    ['with a role', { authorizerCredentialsArn: 'arn:aws:iam::000000000000:role/r' }, 'AuthorizerCredentialsArn'],
  ])('%s fails the start', async (_, change, message) => {
    await expect(starting(change)).rejects.toThrow(message);
  });

  it('of JWTs that a route names fails the start', async () => {
    const starting = startLocalCloud({
      app: appOf((stack) => {
        const api = new HttpApi(stack, 'Api');
        const integration = new HttpLambdaIntegration('I', functionOf(stack, 'Echo', ECHO));
        const authorizer = new HttpLambdaAuthorizer('Simple', functionOf(stack, 'Simple', SIMPLE), {
          responseTypes: [HttpLambdaResponseType.SIMPLE],
        });
        const [route] = api.addRoutes({ path: '/', methods: [HttpMethod.GET], integration, authorizer });
        const declared = route?.node.defaultChild;
        if (declared instanceof CfnRoute) declared.authorizationType = 'JWT';
      }),
    });
    await expect(starting).rejects.toThrow('routes that are open or have a Lambda authoriser');
  });
});
