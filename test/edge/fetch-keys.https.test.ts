import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchKeys } from '../../functions/edge/fetch-keys.https.ts';

const opened: (() => void)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pool/.well-known/jwks.json`;
}

const KEYS = { keys: [{ kid: 'a', kty: 'RSA', n: 'x', e: 'AQAB', alg: 'RS256', use: 'sig' }] };

describe('the keys that an issuer publishes', () => {
  it('are found by their ids', async () => {
    const url = await serving((_, response) => response.end(JSON.stringify(KEYS)));
    expect([...(await fetchKeys(url))]).toEqual([['a', KEYS.keys[0]]]);
  });

  it('are asked for once more when the first call fails', async () => {
    let calls = 0;
    const url = await serving((request, response) => {
      calls += 1;
      if (calls === 1) request.socket.destroy();
      else response.end(JSON.stringify(KEYS));
    });
    expect((await fetchKeys(url)).size).toBe(1);
  });

  it.each<[string, RequestListener]>([
    ['fails', (_, response) => response.writeHead(503).end(JSON.stringify(KEYS))],
    ['answers a page', (_, response) => response.end('<html>')],
    ['answers something else', (_, response) => response.end('{"keys":[{"kty":"RSA"}]}')],
    ['closes the connection', (request) => request.socket.destroy()],
  ])('are unknown, not empty, when it %s', async (_what, answer) => {
    await expect(fetchKeys(await serving(answer))).rejects.toThrow();
  });
});
