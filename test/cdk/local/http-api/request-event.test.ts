import { describe, expect, it } from 'vitest';
import { type ReceivedRequest, requestEvent } from '../../../../cdk/local/http-api/request-event.ts';

function received(change: Partial<ReceivedRequest> = {}): ReceivedRequest {
  return {
    method: 'POST',
    target: '/a%20b/c?x=1&x=2&y=%20z&flag&q=a+b',
    rawHeaders: [
      'Host',
      'localhost:3000',
      'User-Agent',
      'test',
      'X-Twice',
      'one',
      'x-twice',
      'two',
      'Connection',
      'close',
    ],
    body: Buffer.alloc(0),
    sourceIp: '127.0.0.1',
    requestId: '0f5d8a56-6f3c-4e0a-9a3c-1d5b9d9c8f00',
    time: new Date('2026-03-01T09:08:07.006Z'),
    ...change,
  };
}

const context = {
  accountId: '000000000000',
  region: 'us-east-1',
  apiId: 'api1234567',
  stage: '$default',
  routeKey: 'POST /{one}/{two}',
  pathParameters: { one: 'a b', two: 'c' },
};

const event = (change: Partial<ReceivedRequest> = {}) =>
  requestEvent(received(change), context) as Record<string, unknown>;

function withBody(contentType: string | undefined, body: string | Buffer) {
  const rawHeaders = contentType === undefined ? [] : ['Content-Type', contentType];
  const { body: sent, isBase64Encoded } = event({ rawHeaders, body: Buffer.from(body) });
  return { body: sent, isBase64Encoded };
}

describe('the event of a request', () => {
  it('has the shape of payload format 2.0', () => {
    expect(event()).toEqual({
      version: '2.0',
      routeKey: 'POST /{one}/{two}',
      rawPath: '/a b/c',
      rawQueryString: 'x=1&x=2&y=%20z&flag&q=a+b',
      headers: {
        host: 'localhost:3000',
        'user-agent': 'test',
        'x-twice': 'one,two',
        'content-length': '0',
        'x-amzn-trace-id': 'Root=1-69a401f7-0f5d8a566f3c4e0a9a3c1d5b',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': '3000',
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { x: '1,2', y: ' z', flag: '', q: 'a b' },
      pathParameters: { one: 'a b', two: 'c' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'api1234567',
        domainName: 'localhost:3000',
        domainPrefix: 'localhost:3000',
        http: { method: 'POST', path: '/a b/c', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
        requestId: '0f5d8a56-6f3c-4e0a-9a3c-1d5b9d9c8f00',
        routeKey: 'POST /{one}/{two}',
        stage: '$default',
        time: '01/Mar/2026:09:08:07 +0000',
        timeEpoch: Date.parse('2026-03-01T09:08:07.006Z'),
      },
      isBase64Encoded: false,
    });
  });

  it('has cookies as a list and not among the headers', () => {
    const { cookies, headers } = event({ rawHeaders: ['Cookie', 'a=1; b=2', 'Cookie', 'c=3'] });
    expect(cookies).toEqual(['a=1', 'b=2', 'c=3']);
    expect(headers).not.toHaveProperty('cookie');
  });

  it('leaves out missing parameters', () => {
    const bare = requestEvent(received({ target: '/' }), { ...context, pathParameters: {} });
    expect(bare).not.toHaveProperty('queryStringParameters');
    expect(bare).not.toHaveProperty('pathParameters');
    expect(bare).not.toHaveProperty('body');
    expect(bare).not.toHaveProperty('cookies');
  });

  it('appends the caller to X-Forwarded-For', () => {
    const { headers } = event({ rawHeaders: ['X-Forwarded-For', '10.0.0.1'] });
    expect(headers).toMatchObject({ 'x-forwarded-for': '10.0.0.1, 127.0.0.1' });
  });

  it('carries the context that the authoriser gave', () => {
    const lambda = { tenant: 'acme' };
    expect(requestEvent(received(), context, { lambda })).toMatchObject({ requestContext: { authorizer: { lambda } } });
  });
});

describe('the body of an event', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'TEXT/CSV', 'application/xml'])(
    'is text for %s',
    (type) => {
      expect(withBody(type, '{"ü":1}')).toEqual({ body: '{"ü":1}', isBase64Encoded: false });
    },
  );

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'image/png',
    'application/problem+json',
    'application/jsonlines',
    undefined,
  ])('is base64 for %s, as the real gateway has it', (type) => {
    expect(withBody(type, 'a=1')).toEqual({ body: 'YT0x', isBase64Encoded: true });
  });
});
