/** One server for several hosts, each with a certificate of its own, as behind most load balancers. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, makeAuthority } from '../../support/cloud/certificates.ts';
import { addresses, failureOf, requestTo, sender } from './sending-to.ts';

const HOSTS = ['one.example.com', 'two.example.com'] as const;
const certified = makeAuthority();
const byName = new Map<string, Certificates>(HOSTS.map((host) => [host, certified([host])]));
/** The certificate for clients that name no host. */
const nameless = certified(['127.0.0.1']);

/** The server names in the clients' handshakes; false for none. */
const named: (string | false)[] = [];
const server = createServer({
  cert: nameless.certPem,
  key: nameless.keyPem,
  SNICallback: (name, answer) => {
    const { certPem: cert, keyPem: key } = byName.get(name) ?? nameless;
    answer(null, createSecureContext({ cert, key }));
  },
});
server.on('request', (request, response) => {
  named.push((request.socket as TLSSocket & { servername: string | false }).servername);
  request.resume();
  response.end();
});

let port: number;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = sender({ extraCa: nameless.caPem, resolveHost: () => Promise.resolve(addresses('127.0.0.1')) });
const sentTo = (host: string) => send(requestTo(`https://${host}:${port}`, { connectionGroup: host }));

describe('a handshake', () => {
  it.each(HOSTS)('names the host of the target, and gets its certificate: %s', async (host) => {
    named.length = 0;
    expect(await sentTo(host)).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(named).toEqual([host]);
  });

  it('names no address', async () => {
    named.length = 0;
    expect(await sentTo('127.0.0.1')).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(named).toEqual([false]);
  });

  it('with a server that has no certificate for the host fails', async () => {
    named.length = 0;
    expect(failureOf(await sentTo('three.example.com'))).toBe('tls_failed');
    expect(named).toEqual([]);
  });
});
