import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { makeCertificates } from '../../support/cloud/certificates.ts';
import { addresses, failureOf, HOST, needsIpv6, receiver, requestTo, sender } from './sending-to.ts';

describe('a connection', () => {
  it('that is refused is a failure', async () => {
    const endpoint = await receiver();
    await endpoint.close();
    expect(failureOf(await sender()(requestTo(endpoint.url)))).toBe('connection_refused');
    const both = sender({ resolveHost: () => Promise.resolve(addresses('::1', '127.0.0.1')) });
    expect(failureOf(await both(requestTo(`https://localhost:${endpoint.port}`)))).toBe('connection_refused');
  });

  it('to a name without addresses is a failure, a look-up that throws too', async () => {
    const request = requestTo('https://localhost:8443');
    expect(failureOf(await sender({ resolveHost: () => Promise.resolve([]) })(request))).toBe('dns_failed');
    const throws = () => {
      throw new Error('no');
    };
    expect(failureOf(await sender({ resolveHost: throws })(request))).toBe('dns_failed');
  });

  it('goes to an address that the look-up returned, and names the host', async () => {
    const endpoint = await receiver();
    let lookUps = 0;
    const resolveHost = ({ host }: { host: string }) => {
      expect(host).toBe(HOST);
      lookUps += 1;
      return Promise.resolve(addresses('127.0.0.1'));
    };
    const result = await sender({ resolveHost })(requestTo(`https://${HOST}:${endpoint.port}/`));
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(endpoint.posts[0]?.headers.host).toBe(`${HOST}:${endpoint.port}`);
    expect(lookUps).toBe(1);
  });

  it('goes to the next address where one is dead', async () => {
    const endpoint = await receiver();
    const resolveHost = () => Promise.resolve(addresses('::1', '127.0.0.1'));
    const result = await sender({ resolveHost })(requestTo(`https://${HOST}:${endpoint.port}/`));
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(endpoint.posts).toHaveLength(1);
  });

  it.each([
    ['of an unknown authority', () => makeCertificates(), undefined],
    ['for another name', () => certificatesFor(['other.example.com']), 'own'],
    ['for another address', () => certificatesFor(['127.0.0.2']), 'own'],
    ['that has run out', () => makeCertificates(undefined, { until: new Date('2021-01-01') }), 'own'],
  ])('with a certificate %s is refused', async (_what, make, trust) => {
    const own = make();
    const endpoint = await receiver({ certificates: own });
    const send = trust === 'own' ? sender({ extraCa: own.caPem }) : sender();
    expect(failureOf(await send(requestTo(endpoint.url)))).toBe('tls_failed');
    expect(endpoint.posts).toHaveLength(0);
  });
  const certificatesFor = (names: string[]) => makeCertificates(names);

  it('to an address is checked against the certificate by that address', async (context) => {
    needsIpv6(context);
    const v6 = await receiver({ host: '::1', certificates: makeCertificates(['::1']) });
    expect(await sender({ extraCa: v6.caPem })(requestTo(v6.url))).toMatchObject({ kind: 'answered' });
    const named = await receiver({ certificates: makeCertificates(['localhost']) });
    expect(failureOf(await sender({ extraCa: named.caPem })(requestTo(named.url)))).toBe('tls_failed');
  });

  it('speaks TLS 1.2 or later', async () => {
    const [old, older] = await Promise.all(
      (['TLSv1.2', 'TLSv1.1'] as const).map((version) =>
        receiver({ tls: { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' } }),
      ),
    );
    expect(failureOf(await sender()(requestTo(old?.url ?? '')))).toBe('answered');
    expect(failureOf(await sender()(requestTo(older?.url ?? '')))).toBe('tls_failed');
  });

  it('that cannot even be tried is a failure and no exception', async () => {
    const request = requestTo('https://127.0.0.1:8443');
    const result = await sender()({ ...request, target: { ...request.target, port: 70_000 } });
    expect(failureOf(result)).toBe('connection_failed');
  });

  it('to something that does not speak TLS is a failure', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => {}));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    expect(failureOf(await sender()(requestTo(`https://127.0.0.1:${port}`)))).toBe('tls_failed');
    plain.close();
  });
});
