import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** Nothing listens there: every call of the authoriser to its surroundings fails. */
const NOWHERE = 'http://127.0.0.1:2';
const ENVIRONMENT = {
  ACCOUNTS_TABLE: 'accounts',
  KEY_SECRETS: 'secret',
  TOKEN_ISSUER: 'https://issuer',
  TOKEN_AUDIENCES: 'other client',
  CONSOLE_CLIENT: 'client',
  TOKEN_KEYS_URL: `${NOWHERE}/pool/.well-known/jwks.json`,
  AWS_ENDPOINT_URL: NOWHERE,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

let identify: (header: string) => Promise<unknown>;
beforeAll(async () => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  const { handler } = await import('../../functions/edge/authorize-managers.handler.ts');
  identify = (header) =>
    handler({ headers: { authorization: header } } as never, { awsRequestId: 'invocation-1' } as never);
});
afterAll(() => void vi.unstubAllEnvs());

const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');

describe('the authoriser, while nothing around it answers', () => {
  it.each([
    ['a token of the pool', `${part({ alg: 'RS256', kid: 'k' })}.${part({ iss: 'https://issuer' })}.AAAA`],
    ['a management key', `mk_acme_k1_${'x'.repeat(24)}_1${'0'.repeat(50)}`],
  ])('says of %s that it could not be checked', async (_what, credential) => {
    expect(await identify(`Bearer ${credential}`)).toEqual({ isAuthorized: true, context: { unavailable: true } });
  });

  it.each([
    ['a token that nobody signed', `Bearer ${part({ alg: 'none' })}.${part({ iss: 'https://issuer' })}.`],
    ['no token', 'Bearer x'],
    ['another scheme', 'Basic eDo='],
  ])('refuses %s all the same', async (_what, header) => {
    expect(await identify(header)).toEqual({ isAuthorized: true, context: { refused: expect.any(String) } });
  });
});
