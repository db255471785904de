import { describe, expect, it } from 'vitest';
import {
  LambdaAuthorization,
  type LambdaAuthorizer,
  type RoutedRequest,
} from '../../../../cdk/local/http-api/lambda-authorizer.ts';
import type { Invocation } from '../../../../cdk/local/lambda/functions.ts';

const START = Date.UTC(2026, 2, 1);

interface Request {
  readonly key?: string;
  readonly other?: string;
  readonly path?: string;
  readonly routeKey?: string;
  readonly afterSeconds?: number;
}

function routed({ key, other, path = '/items', routeKey = 'GET /items', afterSeconds = 0 }: Request): RoutedRequest {
  const request = {
    method: 'GET',
    target: path,
    rawHeaders: [...(key === undefined ? [] : ['X-Key', key]), ...(other === undefined ? [] : ['X-Other', other])],
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
    routeKey,
    pathParameters: { id: '1' },
  };
  return { request, event };
}

type Event = Record<string, unknown> & { readonly routeArn: string; readonly identitySource: readonly string[] };

/** An authoriser whose function answers like this, and the events that the function has got. */
function authorizer(answer: (event: Event) => unknown, options: Partial<LambdaAuthorizer> = {}) {
  const events: Event[] = [];
  const settings: LambdaAuthorizer = {
    id: 'abc123',
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:authorizer',
    identityHeaders: ['x-key'],
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
  return { events, decide: (request: Request) => authorization.decide(routed(request)) };
}

const allowing = () => ({ isAuthorized: true, context: { tenant: 'acme' } });
const allowed = { kind: 'allowed', context: { tenant: 'acme' } };

describe('the function of an authoriser', () => {
  it('gets what identifies the caller, and no body', async () => {
    const { events, decide } = authorizer(allowing);
    expect(await decide({ key: 'k', path: '/items?x=1' })).toEqual(allowed);
    expect(events).toEqual([
      {
        version: '2.0',
        type: 'REQUEST',
        routeArn: 'arn:aws:execute-api:us-east-1:000000000000:api1234567/$default/GET/items',
        identitySource: ['k'],
        routeKey: 'GET /items',
        rawPath: '/items',
        rawQueryString: 'x=1',
        headers: expect.objectContaining({ 'x-key': 'k' }),
        queryStringParameters: { x: '1' },
        requestContext: expect.objectContaining({ apiId: 'api1234567', routeKey: 'GET /items' }),
        pathParameters: { id: '1' },
      },
    ]);
  });

  it('is not invoked when an identity source is missing', async () => {
    const { events, decide } = authorizer(allowing, { identityHeaders: ['x-key', 'x-other'] });
    expect(await decide({ key: 'k' })).toMatchObject({ kind: 'unauthorized' });
    expect(await decide({ key: 'k', other: '' })).toMatchObject({ kind: 'unauthorized' });
    expect(events).toEqual([]);
    expect(await decide({ key: 'k', other: 'o' })).toEqual(allowed);
  });

  it('that takes too long has failed', async () => {
    const { decide } = authorizer(() => new Promise(() => {}), { timeoutMillis: 10 });
    expect(await decide({ key: 'k' })).toEqual({ kind: 'failed', reason: 'The authorizer timed out.' });
  });

  it('sees the path as routes are found, without escapes', async () => {
    const { events, decide } = authorizer(allowing);
    await decide({ key: 'k', path: '/%61dmin' });
    expect(events[0]?.routeArn).toMatch(/\/GET\/admin$/);
  });
});

describe('an answer that is cached', () => {
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

  it('may be a refusal', async () => {
    const { events, decide } = authorizer(() => ({ isAuthorized: false }), { ttlSeconds: 60 });
    expect(await decide({ key: 'a' })).toEqual({ kind: 'forbidden' });
    expect(await decide({ key: 'a' })).toEqual({ kind: 'forbidden' });
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

  it('tells identities apart whose values concatenate to the same text', async () => {
    const { events, decide } = authorizer(allowing, { ttlSeconds: 60, identityHeaders: ['x-key', 'x-other'] });
    await decide({ key: 'a,b', other: 'c' });
    await decide({ key: 'a', other: 'b,c' });
    expect(events).toHaveLength(2);
  });
});
