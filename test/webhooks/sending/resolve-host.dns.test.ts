import { afterEach, describe, expect, it } from 'vitest';
import { dnsResolver } from '../../../functions/webhooks/sending/resolve-host.dns.ts';
import { type NameServer, startNameServer, type Zone } from '../../support/cloud/name-server.ts';
import { failureOf, requestTo, sender } from './sending-to.ts';

const started: NameServer[] = [];
afterEach(() => started.splice(0).forEach((one) => one.close()));

async function serving(zone: Zone) {
  const nameServer = await startNameServer(zone);
  started.push(nameServer);
  return { nameServer, resolveHost: dnsResolver([nameServer.server]) };
}

const targetOf = (host: string) => ({ ...requestTo(`https://${host}:8443`).target, mayBePrivate: false });
const requestFor = (host: string, timeoutMillis: number) => ({
  ...requestTo(`https://${host}:8443`, { timeoutMillis }),
  target: targetOf(host),
});
const unending = new AbortController().signal;

describe('a look-up', () => {
  it('finds the addresses of both families, IPv4 first', async () => {
    const { resolveHost } = await serving({
      'both.example.com': ['2001:db8:0:0:0:0:0:7', '198.51.100.7', '198.51.100.8'],
      'four.example.com': ['198.51.100.7'],
      'six.example.com': ['2001:db8:0:0:0:0:0:7'],
    });
    const addresses = async (host: string) =>
      (await resolveHost(targetOf(host), unending)).map(({ address, family }) => `${family} ${address}`);
    expect(await addresses('both.example.com')).toEqual(['4 198.51.100.7', '4 198.51.100.8', '6 2001:db8::7']);
    expect(await addresses('four.example.com')).toEqual(['4 198.51.100.7']);
    expect(await addresses('six.example.com')).toEqual(['6 2001:db8::7']);
  });

  it('fails for a name that does not exist, has no address, or whose servers are broken', async () => {
    const { resolveHost } = await serving({ 'empty.example.com': [], 'broken.example.com': 'broken' });
    for (const host of ['missing.example.com', 'empty.example.com', 'broken.example.com']) {
      const result = await sender({ resolveHost })(requestFor(host, 10_000));
      expect(failureOf(result), host).toBe('dns_failed');
      expect(result.timings).toHaveProperty('dnsMillis');
    }
  });

  it('continues with IPv4 when the query for IPv6 is not answered', async () => {
    const { resolveHost } = await serving({ 'half.example.com': 'silent about IPv6' });
    expect(await resolveHost(targetOf('half.example.com'), unending)).toEqual([{ address: '198.51.100.7', family: 4 }]);
  });

  it('reveals nothing of an inside address, not even how long it took to find', async () => {
    const { resolveHost } = await serving({ 'inside.example.com': ['198.51.100.7', '10.0.0.1'] });
    const result = await sender({ resolveHost })(requestFor('inside.example.com', 10_000));
    expect(failureOf(result)).toBe('blocked_target');
    expect(result.timings).not.toHaveProperty('dnsMillis');
  });

  it('that hangs ends with its attempt and delays no other, however many there are', async () => {
    const { nameServer, resolveHost } = await serving({
      'hangs.example.com': 'silent',
      'inside.example.com': ['10.0.0.1'],
    });
    const send = sender({ resolveHost });
    const hanging = Array.from({ length: 60 }, () => send(requestFor('hangs.example.com', 500)));
    // Of the system's own look-ups, a few that hang would keep this one waiting until its deadline.
    expect(failureOf(await send(requestFor('inside.example.com', 10_000)))).toBe('blocked_target');
    expect(new Set((await Promise.all(hanging)).map(failureOf))).toEqual(new Set(['timeout']));
    const { asked } = nameServer;
    expect(asked).toBeGreaterThanOrEqual(120);
    // Ended look-ups send no more queries: their next try would have come within this time.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(nameServer.asked).toBe(asked);
  });
});
