import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StatusOf, UNRESTRICTED } from '../../../shared/auth/account-status.ts';
import { type DataTokenLookup, dataApi } from '../../../shared/auth/data-caller.ts';
import { dataTokenId, newDataToken, tokenOf } from '../../../shared/auth/data-token.ts';
import type { Refusal } from '../../../shared/errors.ts';
import type { HttpEvent } from '../../../shared/http/http-handler.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the Authorization header of /v3', () => {
  it('gives the token of a user name with an empty password', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/), (token) => {
        expect(tokenOf(basic(`${token}:`))).toBe(token);
      }),
    );
    expect(tokenOf(basic('a:').replace('Basic', 'bASIC'))).toBe('a');
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is another scheme', 'Bearer abc'],
    ['has no colon', basic('token')],
    ['has a password', basic('token:secret')],
    ['has no user name', basic(':')],
    ['is not base64', 'Basic ***'],
    ['is very long', basic(`${'x'.repeat(5_000)}:`)],
    ['holds two tokens', `${basic('a:')}, ${basic('b:')}`],
  ])('gives no token when it %s', (_why, header) => {
    expect(tokenOf(header)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: CODE_POINT }), (header) => void tokenOf(header)));
  });
});

describe('a data token', () => {
  it('is random, and its id does not hold it', () => {
    const tokens = new Set(Array.from({ length: 1_000 }, newDataToken));
    expect(tokens.size).toBe(1_000);
    const isId = (id: string) => /^tok_[A-Za-z0-9_-]{32}$/.test(id);
    expect(Array.from(tokens, dataTokenId).filter((id) => !isId(id))).toEqual([]);
  });
});

const BUCKETS = { bucket: { tokenMicros: 100_000, burst: 20 }, arrivalOf: async () => 0 };
const surfaceOf = (byTokenId: DataTokenLookup['byTokenId'], statusOf: StatusOf = async () => UNRESTRICTED) =>
  dataApi({ tokens: { byTokenId }, buckets: BUCKETS, statusOf });

describe('the identity of a caller', () => {
  const event = { headers: { authorization: basic('secret:') } } as unknown as HttpEvent;
  const account = { tokenId: dataTokenId('secret'), tenant: 't', planId: 'p', availableDownloads: 1 };

  it('is read once a minute, and a revoked token is refused within that minute', async () => {
    let reads = 0;
    let revokedAt: string | undefined;
    const surface = surfaceOf(async () => {
      reads += 1;
      return { ...account, ...(revokedAt && { revokedAt }) };
    });
    const at = (seconds: number) => seconds * 1000;
    expect(await surface.identify(event, at(0))).toMatchObject({ token: 'secret', tenant: 't' });
    revokedAt = 'now';
    await surface.identify(event, at(59));
    expect(reads).toBe(1);
    await expect(Promise.resolve(surface.identify(event, at(60)))).rejects.toMatchObject({ status: 401 });
  });

  it('is refused with 403 while the account is suspended, though its token is cached', async () => {
    let active = true;
    const surface = surfaceOf(
      async () => account,
      async () => ({ active, apiIntegration: true }),
    );
    expect(await surface.identify(event, 0)).toMatchObject({ tenant: 't' });
    active = false;
    const refusal: unknown = await Promise.resolve(surface.identify(event, 1)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 403 });
    const { statusCode, body = '' } = surface.present(refusal as Refusal, 'r-1');
    expect([statusCode, JSON.parse(body)]).toEqual([403, { error: expect.stringContaining('suspended') }]);
    active = true;
    expect(await surface.identify(event, 2)).toMatchObject({ tenant: 't' });
  });

  it('is looked up once a minute for an unknown token, and apart for each', async () => {
    let reads = 0;
    const surface = surfaceOf(async () => void (reads += 1));
    const call = (seconds: number, token = 'nobody') =>
      Promise.resolve(
        surface.identify({ headers: { authorization: basic(`${token}:`) } } as unknown as HttpEvent, seconds * 1_000),
      ).catch(({ status }: Refusal) => status);
    expect([await call(0), await call(1), await call(59), reads]).toEqual([401, 401, 401, 1]);
    expect([await call(59, 'other'), reads]).toEqual([401, 2]);
    expect([await call(60), reads]).toEqual([401, 3]);
  });

  it('is refused for an unknown token', async () => {
    const surface = surfaceOf(async () => undefined);
    await expect(Promise.resolve(surface.identify(event, 0))).rejects.toMatchObject({ status: 401 });
  });
});
