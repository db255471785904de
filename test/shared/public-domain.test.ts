import type { Context } from 'aws-lambda';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { presentDataError } from '../../shared/http/data-api.ts';
import { type HttpEvent, httpHandler, ok } from '../../shared/http/http-handler.ts';
import { publicDomain, refuseDetour, restoreViewer } from '../../shared/http/public-domain.ts';
import { loggedLines } from '../support/runner/logged-lines.ts';

const DOMAIN = { name: 'api.example.com', secret: 'a-secret-of-the-stage' };
const EDGE = '192.0.2.10';

const lines = loggedLines();
afterEach(() => {
  lines();
  vi.unstubAllEnvs();
});

const event = (headers: Record<string, string>) =>
  ({
    routeKey: 'GET /x',
    rawQueryString: '',
    headers,
    requestContext: { requestId: 'r-1', http: { method: 'GET', sourceIp: EDGE } },
    isBase64Encoded: false,
  }) as unknown as HttpEvent;

function viewerWith(forwarded: string): string {
  const received = event({ 'x-forwarded-for': forwarded });
  restoreViewer(received, DOMAIN);
  return received.requestContext.http.sourceIp;
}

describe('a request to the domain of a stage', () => {
  it('has the address of the viewer, whatever the viewer claims', () => {
    const claims = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom(EDGE, '', ',', 'unknown', '127.0.0.1', ' , '),
      fc.string().filter((text) => /^[ -~]*$/.test(text)),
    );
    fc.assert(
      fc.property(fc.array(claims), fc.oneof(fc.ipV4(), fc.ipV6()), fc.boolean(), (claimed, viewer, appended) => {
        fc.pre(viewer !== EDGE);
        const list = [...claimed, viewer, ...(appended ? [EDGE] : [])].join(', ');
        expect(viewerWith(list)).toBe(viewer);
      }),
    );
  });

  it('has the address of the connection if it came through no proxy', () => {
    expect([viewerWith(''), viewerWith(EDGE)]).toEqual([EDGE, EDGE]);
  });

  it('has the host and the scheme of the domain, and no secret', () => {
    const received = event({ host: 'abc.execute-api.us-east-1.amazonaws.com', 'x-origin-secret': DOMAIN.secret });
    restoreViewer(received, DOMAIN);
    expect(received.headers).toEqual({ host: DOMAIN.name, 'x-forwarded-proto': 'https' });
  });

  it.each([undefined, '', 'a', 'A-secret-of-the-stage', `${DOMAIN.secret} `, 'é-secret-of-the-stage'])(
    'is refused with the secret %s',
    (secret) => {
      const sent = event(secret === undefined ? {} : { 'x-origin-secret': secret });
      expect(() => refuseDetour(sent, DOMAIN)).toThrow('This API is served at https://api.example.com.');
    },
  );

  it('is served by no function that has not got the secret', () => {
    vi.stubEnv('PUBLIC_DOMAIN', DOMAIN.name);
    for (const secret of [undefined, '']) {
      vi.stubEnv('ORIGIN_SECRET', secret);
      expect(() => publicDomain()).toThrow('PUBLIC_DOMAIN is set without ORIGIN_SECRET.');
    }
  });

  it('needs no secret where the stage has no domain', async () => {
    expect(publicDomain()).toBeUndefined();
    const open = httpHandler({ identify: () => ({}), present: presentDataError }, {}, () => ok({}));
    expect((await open(event({}), {} as Context)).statusCode).toBe(200);
    vi.stubEnv('PUBLIC_DOMAIN', DOMAIN.name);
    vi.stubEnv('ORIGIN_SECRET', DOMAIN.secret);
    let callers = 0;
    const closed = httpHandler({ identify: () => ({ n: (callers += 1) }), present: presentDataError }, {}, () =>
      ok({}),
    );
    expect((await closed(event({}), {} as Context)).statusCode).toBe(403);
    expect(callers).toBe(0);
    expect((await closed(event({ 'x-origin-secret': DOMAIN.secret }), {} as Context)).statusCode).toBe(200);
  });
});
