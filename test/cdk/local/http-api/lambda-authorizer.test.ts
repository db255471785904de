import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../../../cdk/local/functions/functions.ts';
import { contextVariables } from '../../../../cdk/local/http-api/context-variables.ts';
import { identitySource } from '../../../../cdk/local/http-api/identity-source.ts';
import {
  type Asking,
  LambdaAuthorization,
  type LambdaAuthorizer,
} from '../../../../cdk/local/http-api/lambda-authorizer.ts';

const START = Date.UTC(2026, 2, 1);

interface Request {
  readonly key?: string;
  readonly path?: string;
  readonly routeKey?: string;
  readonly afterSeconds?: number;
}

function asking({ key, path = '/items', routeKey = 'GET /items', afterSeconds = 0 }: Request): Asking {
  const request = {
    method: 'GET',
    target: path,
    rawHeaders: key === undefined ? [] : ['X-Key', key],
    body: Buffer.from('never shown'),
    sourceIp: '127.0.0.1',
    requestId: '0f5d8a56-6f3c-4e0a-9a3c-1d5b9d9c8f00',
    time: new Date(START + afterSeconds * 1000),
  };
  const event = {
    region: 'us-east-1',
    accountId: '000000000000',
    apiId: 'api1234567',
    stage: '$default',
    stageVariables: { color: 'blue' },
    routeKey,
    pathParameters: { id: '1' },
  };
  return { request, event, variables: contextVariables(request, event) };
}

type Event = Record<string, unknown> & { readonly routeArn: string; readonly identitySource: readonly string[] };

/** An authoriser whose function answers like this, and the events that the function has got. */
function authorizer(
  answer: (event: Event) => unknown,
  { sources = ['$request.header.x-key'], ...options }: Partial<LambdaAuthorizer> & { sources?: string[] } = {},
) {
  const events: Event[] = [];
  const settings: LambdaAuthorizer = {
    id: 'abc123',
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:authorizer',
    simpleResponses: true,
    identitySources: sources.map(identitySource),
    ttlSeconds: 0,
    timeoutMillis: 60_000,
    ...options,
  };
  const invoke = async (payload: string): Promise<Invocation> => {
    const event = JSON.parse(payload) as Event;
    events.push(event);
    return { kind: 'result', payload: JSON.stringify(await answer(event)) };
  };
  const authorization = new LambdaAuthorization(settings, { mayInvoke: () => true, invoke });
  return { events, decide: (request: Request) => authorization.decide(asking(request)) };
}

const allowing = () => ({ isAuthorized: true, context: { tenant: 'acme' } });
const allowed = { kind: 'allowed', context: { tenant: 'acme' } };

describe('the function of an authoriser', () => {
  it('gets what identifies the caller, and no body', async () => {
    const { events, decide } = authorizer(allowing, { sources: ['$request.header.x-key', '$context.routeKey'] });
    expect(await decide({ key: 'k', path: '/items?x=1' })).toEqual(allowed);
    expect(events).toEqual([
      {
        version: '2.0',
        type: 'REQUEST',
        routeArn: 'arn:aws:execute-api:us-east-1:000000000000:api1234567/$default/GET/items',
        identitySource: ['k', 'GET /items'],
        routeKey: 'GET /items',
        rawPath: '/items',
        rawQueryString: 'x=1',
        headers: expect.objectContaining({ 'x-key': 'k' }),
        queryStringParameters: { x: '1' },
        requestContext: expect.objectContaining({ apiId: 'api1234567', routeKey: 'GET /items' }),
        pathParameters: { id: '1' },
        stageVariables: { color: 'blue' },
      },
    ]);
  });

  it('is not asked when an identity source is missing', async () => {
    const { events, decide } = authorizer(allowing, { sources: ['$request.header.x-key', '$request.querystring.q'] });
    expect(await decide({ key: 'k' })).toMatchObject({ kind: 'unauthorized' });
    expect(await decide({ path: '/items?q=1' })).toMatchObject({ kind: 'unauthorized' });
    expect(events).toEqual([]);
    expect(await decide({ key: 'k', path: '/items?q=1' })).toEqual(allowed);
  });

  it('that takes too long has failed', async () => {
    const { decide } = authorizer(() => new Promise(() => {}), { timeoutMillis: 10 });
    expect(await decide({ key: 'k' })).toEqual({ kind: 'failed', reason: 'The authorizer timed out.' });
  });

  it('sees the path as routes are found, so that no escape passes a policy', async () => {
    const { events, decide } = authorizer(allowing);
    await decide({ key: 'k', path: '/%61dmin' });
    expect(events[0]?.routeArn).toMatch(/\/GET\/admin$/);
  });
});

describe('an answer that is kept', () => {
  it('serves the same identity on all routes until its time is over', async () => {
    const { events, decide } = authorizer(allowing, { ttlSeconds: 60 });
    expect(await decide({ key: 'a' })).toEqual(allowed);
    expect(await decide({ key: 'a', path: '/other', routeKey: 'GET /other', afterSeconds: 59 })).toEqual(allowed);
    expect(events).toHaveLength(1);
    await decide({ key: 'b' });
    expect(events).toHaveLength(2);
    await decide({ key: 'a', afterSeconds: 60 });
    expect(events).toHaveLength(3);
    await decide({ key: 'a', afterSeconds: 61 });
    expect(events).toHaveLength(3);
  });

  it('serves one route only when the route is an identity source', async () => {
    const sources = ['$request.header.x-key', '$context.routeKey'];
    const { events, decide } = authorizer(allowing, { ttlSeconds: 60, sources });
    await decide({ key: 'a' });
    await decide({ key: 'a', path: '/other', routeKey: 'GET /other' });
    await decide({ key: 'a' });
    expect(events.map(({ identitySource: [, route] }) => route)).toEqual(['GET /items', 'GET /other']);
  });

  it('may be a refusal', async () => {
    const { events, decide } = authorizer(() => ({ isAuthorized: false }), { ttlSeconds: 60 });
    expect(await decide({ key: 'a' })).toEqual({ kind: 'forbidden' });
    expect(await decide({ key: 'a' })).toEqual({ kind: 'forbidden' });
    expect(events).toHaveLength(1);
  });

  it('with a policy is judged anew for each route', async () => {
    const answer = ({ routeArn }: Event) => ({
      principalId: 'user',
      policyDocument: { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: routeArn }] },
    });
    const { events, decide } = authorizer(answer, { ttlSeconds: 60, simpleResponses: false });
    expect(await decide({ key: 'a' })).toEqual({ kind: 'allowed', context: null, principalId: 'user' });
    expect(await decide({ key: 'a', path: '/other', routeKey: 'GET /other' })).toEqual({ kind: 'forbidden' });
    expect(events).toHaveLength(1);
  });

  it.each([
    ['malformed', { isAuthorized: 'yes' }, 'failed'],
    ['for a caller without credentials', { errorMessage: 'Unauthorized' }, 'unauthorized'],
  ])('is never one that is %s', async (_, answer, kind) => {
    const { events, decide } = authorizer(() => answer, { ttlSeconds: 60 });
    expect(await decide({ key: 'a' })).toMatchObject({ kind });
    expect(await decide({ key: 'a' })).toMatchObject({ kind });
    expect(events).toHaveLength(2);
  });

  it('does not mix up identities whose values only join to the same text', async () => {
    const sources = ['$request.header.x-key', '$request.querystring.q'];
    const { events, decide } = authorizer(allowing, { ttlSeconds: 60, sources });
    await decide({ key: 'a,b', path: '/items?q=c' });
    await decide({ key: 'a', path: '/items?q=b,c' });
    expect(events).toHaveLength(2);
  });
});
