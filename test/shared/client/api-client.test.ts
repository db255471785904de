import { describe, expect, it } from 'vitest';
import { ApiClient, ApiError, basic, type Call, type ClientOptions } from '../../../shared/client/api-client.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const LOST = new TypeError('fetch failed');

/** A client of a service that answers these, or loses the connection, in turn. */
function clientOf(turns: readonly (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const client = new ApiClient({
    url: 'https://api.example.com/',
    authorization: 'Bearer mk_1',
    async fetch(url: string | URL | Request, { method = '', headers, body } = {}) {
      const turn = turns[sent.length];
      sent.push({
        url: url instanceof Request ? url.url : url.toString(),
        method,
        headers: new Headers(headers),
        body,
      });
      if (!(turn instanceof Response)) throw turn ?? new Error('One try too many.');
      return turn;
    },
    pause: async (millis) => waits.push(millis),
    ...options,
  });
  return { client, sent, waits };
}

const GET: Call = { method: 'GET', path: '/things', query: { limit: 2, tag: ['a b', 'c'], more: undefined } };
const POST: Call = { method: 'POST', path: '/things', body: { name: 'A' } };
const KEYED: Call = { ...POST, takesKey: true };
const limited = () => answer(429, { code: 'rate-limited' }, { 'retry-after': '3' });

describe('a call', () => {
  it('sends the credential, the parameters and the body, and returns status, headers and data', async () => {
    const { client, sent } = clientOf([answer(200, { id: 1 }, { 'x-own': 'yes' }), answer(201, { id: 2 })]);
    const { status, headers, data } = await client.call<{ id: number }>(GET);
    expect([status, headers.get('x-own'), data]).toEqual([200, 'yes', { id: 1 }]);
    expect((await client.call(POST)).status).toBe(201);
    const [read, write] = sent;
    expect(read?.url).toBe('https://api.example.com/things?limit=2&tag=a+b&tag=c');
    expect(read?.headers.get('authorization')).toBe('Bearer mk_1');
    expect([write?.body, write?.headers.get('content-type')]).toEqual(['{"name":"A"}', 'application/json']);
    expect(write?.headers.has('idempotency-key')).toBe(false);
  });

  it('asks for the credential before each try', async () => {
    let tokens = 0;
    const { client, sent } = clientOf([answer(503), answer(200)], { authorization: async () => `Bearer ${++tokens}` });
    await client.call(GET);
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it('sends a form where the operation takes one, and a user as HTTP Basic', async () => {
    const { client, sent } = clientOf([answer(200)], { authorization: basic('zoë', 'p:w') });
    await client.call({ ...POST, body: { grant_type: 'client_credentials' }, isForm: true });
    expect(sent[0]?.body).toBe('grant_type=client_credentials');
    expect(Buffer.from(sent[0]?.headers.get('authorization')?.slice(6) ?? '', 'base64').toString()).toBe('zoë:p:w');
  });
});

describe('a call that fails', () => {
  it.each<[string, Call, Response | Error]>([
    ['a limited GET', GET, limited()],
    ['a limited POST', POST, limited()],
    ['a GET that the service cannot answer now', GET, answer(503)],
    ['a GET whose answer is lost', GET, LOST],
    ['a POST with a key that the service cannot answer now', KEYED, answer(503)],
    ['a POST with a key whose answer is lost', KEYED, LOST],
  ])('is tried again: %s', async (_, call, failure) => {
    const { client, sent, waits } = clientOf([failure, answer(200)]);
    await client.call(call);
    expect([sent.length, waits.length]).toEqual([2, 1]);
    const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
    expect(keys.size).toBe(1);
    expect(keys.has(null)).toBe(!call.takesKey);
  });

  it('whose first try is under way waits for the answer of that', async () => {
    const { client, sent, waits } = clientOf([LOST, answer(409, {}, { 'retry-after': '1' }), answer(201, { id: 1 })]);
    expect((await client.call(KEYED)).data).toEqual({ id: 1 });
    expect(sent).toHaveLength(3);
    expect(waits[1]).toBeGreaterThanOrEqual(1000);
  });

  it.each<[string, Call, Response | Error]>([
    ['a name that is taken', KEYED, answer(409, { code: 'account-exists' })],
    ['a POST without a key that may have been carried out', POST, answer(503)],
    ['a POST without a key whose answer is lost', POST, LOST],
    ['a GET with another effect at each time', { ...GET, isRepeatable: false }, LOST],
    ['a quota that resets next month', GET, answer(429, { code: 'quota-exceeded' })],
    ['a fault of the service', GET, answer(500)],
    ['a wrong call', KEYED, answer(400)],
  ])('is not tried again: %s', async (_, call, failure) => {
    const { client, sent } = clientOf([failure]);
    await expect(client.call(call)).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  it('waits as long as the service asks, and ever longer otherwise, up to its last try', async () => {
    const { client, sent, waits } = clientOf([limited(), answer(503), answer(503), answer(503)]);
    await expect(client.call(GET)).rejects.toMatchObject({ status: 503 });
    expect(sent).toHaveLength(4);
    expect(waits[0]).toBe(3000);
    expect(waits[1]).toBeGreaterThanOrEqual(1000);
    expect(waits[2]).toBeGreaterThanOrEqual(2000);
  });

  it('ends with its signal', async () => {
    const aborted = AbortSignal.abort();
    const { client, sent } = clientOf([new DOMException('aborted', 'AbortError')]);
    await expect(client.call(GET, { signal: aborted })).rejects.toThrow('aborted');
    expect(sent).toHaveLength(1);
  });

  it('sends the key of its caller', async () => {
    const { client, sent } = clientOf([answer(200)]);
    await client.call(KEYED, { idempotencyKey: 'order-7' });
    expect(sent[0]?.headers.get('idempotency-key')).toBe('order-7');
  });
});

describe('an error', () => {
  it.each<[string, Response, { status: number; code: string | undefined; message: string }]>([
    [
      'problem details',
      answer(404, { code: 'not-found', detail: 'There is no such rule.' }),
      { status: 404, code: 'not-found', message: 'There is no such rule.' },
    ],
    [
      'an error of the loyalty API, with the status 200',
      answer(200, { status: 'error', errors: { code: 'argument_error', message: 'lat is missing' } }),
      { status: 200, code: 'argument_error', message: 'lat is missing' },
    ],
    [
      'an error of the data API, which has no codes',
      answer(401, { error: 'Unauthorized', message: 'The token is wrong.', code: 401 }),
      { status: 401, code: undefined, message: 'The token is wrong.' },
    ],
    [
      'a message of the gateway',
      answer(403, { message: 'Forbidden' }),
      { status: 403, code: undefined, message: 'Forbidden' },
    ],
    [
      'a fault of the data API',
      answer(500, { error: 'E', message: 'It broke.', code: 500, requestId: 'r-1' }),
      { status: 500, code: undefined, message: 'It broke. (request r-1)' },
    ],
    [
      'text',
      new Response('<html>', { status: 502 }),
      { status: 502, code: undefined, message: 'The service answered 502.' },
    ],
  ])('has status, code and message: %s', async (_, failure, expected) => {
    const error: unknown = await clientOf([failure])
      .client.call(POST)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject(expected);
  });
});

describe('a list', () => {
  const all = async (items: AsyncIterable<unknown>) => Array.fromAsync(items);

  it('is read to its end by nextCursor, with its other parameters', async () => {
    const pages = [{ items: [1, 2], nextCursor: 'c1' }, { items: [], nextCursor: 'c2' }, { items: [3] }];
    const { client, sent } = clientOf(pages.map((page) => answer(200, page)));
    expect(await all(client.items(GET))).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => new URL(url).searchParams.get('cursor'))).toEqual([null, 'c1', 'c2']);
    expect(new URL(sent[2]!.url).searchParams.get('limit')).toBe('2');
  });

  it.each(['https://elsewhere.invalid/things', '//elsewhere.invalid/things', '@elsewhere.invalid/things'])(
    'is read to its end by links, and not at %s, which would receive the credential',
    async (elsewhere) => {
      const next = (to: string) => ({ link: `<${to}>; rel="next"` });
      const { client, sent } = clientOf([answer(200, [1], next('/things?page=2')), answer(200, [2], next(elsewhere))]);
      expect(await all(client.items(GET))).toEqual([1, 2]);
      expect(sent[1]?.url).toBe('https://api.example.com/things?page=2');
    },
  );

  it('asks for no page that its caller does not read', async () => {
    const { client, sent } = clientOf([answer(200, { items: [1, 2], nextCursor: 'c1' })]);
    for await (const item of client.items(GET)) if (item === 2) break;
    expect(sent).toHaveLength(1);
  });
});
