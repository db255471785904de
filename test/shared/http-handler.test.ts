import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../../shared/errors.ts';
import { presentDataError } from '../../shared/http/data-api.ts';
import { type HttpEvent, httpHandler, httpRoutes, json, ok, type Surface } from '../../shared/http/http-handler.ts';
import { managementApi } from '../../shared/http/management-api.ts';
import { log } from '../../shared/telemetry/log.ts';
import { loggedLines } from '../support/runner/logged-lines.ts';

const anyone: Surface<{ name: string }> = { identify: () => ({ name: 'anyone' }), present: presentDataError };

function event(change: Partial<HttpEvent> & { identity?: Record<string, unknown> } = {}): HttpEvent {
  const { identity, ...rest } = change;
  return {
    routeKey: 'GET /x',
    rawQueryString: '',
    headers: {},
    requestContext: {
      requestId: 'r-1',
      http: { method: 'GET' },
      ...(identity && { authorizer: { lambda: identity } }),
    },
    isBase64Encoded: false,
    ...rest,
  } as unknown as HttpEvent;
}

const context = { awsRequestId: 'invocation-1' } as Context;
const lines = loggedLines();
afterEach(() => void lines());

describe('an HTTP handler', () => {
  it('parses the query by form rules, and refuses a parameter that appears twice', async () => {
    const query = z.record(z.string(), z.string());
    const handler = httpHandler(anyone, { query }, ({ query: parsedQuery }) => ok(parsedQuery));
    const result = await handler(event({ rawQueryString: 'q=a+b%2Bc%20d&__proto__=x' }), context);
    expect(JSON.parse(result.body ?? '')).toEqual({ q: 'a b+c d' });
    const twice = await handler(event({ rawQueryString: 'q=a&r=b&q=a' }), context);
    expect(twice).toMatchObject({ statusCode: 400, body: '{"error":"q appears twice"}' });
  });

  it('answers input that it cannot parse with a 400 that names the place', async () => {
    const handler = httpHandler(anyone, { body: z.strictObject({ n: z.number() }) }, ({ body }) => ok(body));
    const answer = async (body: string) => handler(event({ body }), context);
    expect(await answer('{')).toMatchObject({ statusCode: 400, body: '{"error":"The body is not valid JSON."}' });
    expect((await answer('{"n":"x"}')).body).toContain('n must be a number');
    expect(await answer('{"n":1,"m":2}')).toMatchObject({ statusCode: 400 });
    const base64 = event({ body: Buffer.from('{"n":3}').toString('base64'), isBase64Encoded: true });
    expect(await handler(base64, context)).toMatchObject({ statusCode: 200, body: '{"n":3}' });
  });

  it.each([
    ['says so', { headers: { 'content-length': '1048577' }, body: '{"n":1}' }],
    ['is so, whatever it says', { headers: { 'content-length': '7' }, body: ' '.repeat(1_048_577) }],
    ['says nothing that is a length', { headers: { 'content-length': 'x' }, body: ' '.repeat(1_048_577) }],
    ['is so in base64', { headers: {}, body: Buffer.alloc(1_048_577).toString('base64'), isBase64Encoded: true }],
  ])('refuses a body that is too large before it knows the caller or reads it, if the body %s', async (_how, sent) => {
    const done: string[] = [];
    const noting: Surface<object> = {
      identify: () => ({ caller: done.push('identified') }),
      present: presentDataError,
    };
    const parseBody = () => done.push('parsed');
    const handler = httpHandler(noting, { body: z.number(), parseBody }, ({ body }) => ok(body));
    const refused = await handler(event(sent), context);
    expect(refused.statusCode).toBe(413);
    expect(JSON.parse(refused.body ?? '')).toEqual({
      error: 'Content Too Large',
      message: expect.stringMatching(/^The body has \d+ bytes; at most 1048576 are taken\.$/),
      code: 413,
    });
    expect(done).toEqual([]);
    expect((await handler(event({ body: ' '.repeat(1_048_576) }), context)).statusCode).toBe(200);
  });

  it('answers HEAD as it answers GET, without the body', async () => {
    const handler = httpRoutes({ 'GET /x': httpHandler(anyone, {}, ({ method }) => ok({ method }, { 'x-a': '1' })) });
    const answer = await handler(event({ routeKey: 'HEAD /x' }), context);
    expect([answer.statusCode, answer.headers?.['x-a'], answer.body]).toEqual([200, '1', undefined]);
  });

  it('answers a route by its own handler, whatever the others of the table take', async () => {
    const taking = (body: z.ZodType) =>
      httpHandler(anyone, { body }, ({ body: parsedBody }) => ok({ found: parsedBody }));
    const handler = httpRoutes({
      'PUT /things/{id}': taking(z.object({ n: z.number() })),
      'PATCH /things/{id}': taking(z.object({})),
    });
    const answer = async (routeKey: string) => handler(event({ body: '{}', routeKey }), context);
    expect(handler.routes).toEqual(['PUT /things/{id}', 'PATCH /things/{id}']);
    expect(await answer('PUT /things/{id}')).toMatchObject({ statusCode: 400 });
    expect((await answer('PATCH /things/{id}')).body).toBe('{"found":{}}');
    await expect(answer('POST /things')).rejects.toThrow('POST /things');
  });

  it('answers our own mistakes with a fixed text and the request id, and logs the cause', async () => {
    const handler = httpHandler(anyone, {}, () => {
      throw new Error('secret detail');
    });
    const result = await handler(event(), context);
    expect(result.statusCode).toBe(500);
    expect(JSON.parse(result.body ?? '')).toEqual({
      error: 'Internal Server Error',
      message: 'An unexpected error occurred.',
      code: 500,
      requestId: 'r-1',
    });
    expect(lines()).toMatchObject([{ level: 'ERROR', error: { message: 'secret detail' } }, { Faults: 1 }]);
  });

  it('logs neither query, headers nor body', async () => {
    const handler = httpHandler(anyone, {}, () => ok({ secret: 'in-answer' }));
    await handler(event({ rawQueryString: 'q=in-query', headers: { authorization: 'in-header' } }), context);
    const logged = lines();
    expect(logged).toMatchObject([{ message: 'request', route: 'GET /x', status: 200 }]);
    expect(JSON.stringify(logged)).not.toMatch(/in-query|in-header|in-answer/);
  });

  it('names the call and the invocation on every line, also on those of what it calls', async () => {
    const handler = httpHandler(anyone, {}, () => {
      log.info('inside');
      throw new Error('It failed.');
    });
    await handler(event(), context);
    const ids = { requestId: 'r-1', function_request_id: 'invocation-1' };
    expect(lines()).toMatchObject([{ message: 'inside', ...ids }, { message: 'request failed', ...ids }, ids]);
    log.info('outside');
    expect(lines()[0]).not.toHaveProperty('requestId');
  });

  it.each([
    ['a mistake of ours', 1, () => Promise.reject(new Error('It failed.'))],
    ['a refusal for lack of capacity', 1, () => Promise.reject(new Refusal(503, 'busy', 'Come back later.'))],
    ['an answer of 500 or more', 1, () => json(502, {})],
    ['a refusal of what was asked', 0, () => Promise.reject(new Refusal(404, 'not-found', 'There is none.'))],
    ['an answer', 0, () => ok({})],
  ])('counts as a fault %s: %i', async (_what, faults, answer) => {
    await httpHandler(anyone, {}, answer)(event(), context);
    expect(lines().filter((line) => line.Faults === 1)).toHaveLength(faults);
  });
});

describe('the errors of /v3', () => {
  it('hold all three members for 401, 404 and 500, and only the text for 400 and 403', () => {
    const body = (status: number) => JSON.parse(presentDataError(new Refusal(status, 'c', 'text'), 'r').body ?? '');
    expect(body(401)).toEqual({ error: 'Unauthorized', message: 'text', code: 401 });
    expect(body(404)).toEqual({ error: 'Not Found', message: 'text', code: 404 });
    expect(body(400)).toEqual({ error: 'text' });
    expect(body(403)).toEqual({ error: 'text' });
  });
});

describe('the management API', () => {
  const handler = httpHandler(managementApi, {}, ({ caller }) => ok(caller));
  const answer = async (identity?: Record<string, unknown>) => {
    const { statusCode, headers = {}, body = '' } = await handler(event({ ...(identity && { identity }) }), context);
    return { status: statusCode, headers, json: JSON.parse(body) };
  };

  it('serves the caller whom the authoriser has identified', async () => {
    const identity = { tenant: 'acme', operator: false, scopes: ['read'] };
    expect(await answer(identity)).toMatchObject({ status: 200, json: { tenant: 'acme', operator: false } });
    const { json } = await answer({ tenant: '', operator: true, scopes: ['manage'] });
    expect(json).toEqual({ tenant: '', operator: true });
  });

  it('refuses everybody else with problem details and a challenge', async () => {
    const refused = await answer({ refused: 'The token has expired.' });
    expect(refused).toMatchObject({
      status: 401,
      headers: { 'content-type': 'application/problem+json', 'www-authenticate': expect.stringMatching(/^Bearer /) },
      json: {
        status: 401,
        code: 'unauthorized',
        detail: 'The token has expired.',
        instance: 'urn:request:r-1',
        type: '/docs/problems/unauthorized',
      },
    });
    expect(await answer()).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
    const nobody = { tenant: '', operator: false, scopes: ['manage'] };
    expect(await answer(nobody)).toMatchObject({ status: 401, json: { code: 'no-tenant' } });
  });

  it.each([
    ['nothing', {}],
    ['no scopes', { tenant: 'acme', operator: true }],
    ['an unknown scope', { tenant: 'acme', operator: true, scopes: ['manage', 'all'] }],
    ['a text for a flag', { tenant: 'acme', operator: 'true', scopes: ['manage'] }],
    ['a refusal beside a caller', { refused: 'No.', tenant: 'acme', operator: true, scopes: ['manage'] }],
  ])('lets nobody in on an identity that says %s', async (_what, identity) => {
    expect(await answer(identity)).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
  });

  it('answers 503 when the credential could not be checked', async () => {
    expect(await answer({ unavailable: true })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      json: { code: 'unavailable' },
    });
  });

  it('answers 429 to who calls too often, and states the limit in every answer to a known caller', async () => {
    const rate = { 'ratelimit-limit': '400', 'ratelimit-remaining': '0', 'retry-after': '1' };
    expect(await answer({ limited: true, rate })).toMatchObject({
      status: 429,
      headers: rate,
      json: { code: 'rate-limited' },
    });
    const scopes = ['events'];
    expect(await answer({ tenant: 'acme', operator: false, scopes, rate: { 'ratelimit-limit': '400' } })).toMatchObject(
      {
        status: 403,
        headers: { 'ratelimit-limit': '400' },
      },
    );
  });

  it('names the scope that is missing, and those of the key', async () => {
    expect(await answer({ tenant: 'acme', operator: false, scopes: ['events'] })).toMatchObject({
      status: 403,
      json: { code: 'scope-required', detail: 'This requires the scope read; the key has events.' },
    });
  });
});
