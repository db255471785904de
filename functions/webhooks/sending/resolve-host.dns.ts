import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { ResolveHost } from './vetted-addresses.ts';

/** The timeout of the first try of a query; each further try doubles it. */
const QUERY_MILLIS = 1_000;
const TRIES = 3;
/** The time to wait for IPv6 addresses after the IPv4 ones: some name servers never answer such queries. */
const IPV6_LATE_MILLIS = 500;

/**
 * Queries DNS directly instead of calling `getaddrinfo`, which blocks one of a few threads while a name server does not
 * answer, even after the attempt has ended: a few such names would block the lookups of all tenants. Private targets
 * are resolved by the system, which knows local names.
 * @param servers `address:port`. @default the name servers of the system
 */
export const dnsResolver =
  (servers?: readonly string[]): ResolveHost =>
  async ({ host, mayBePrivate }, signal) => {
    if (mayBePrivate) return lookup(host, { all: true });
    // One resolver per look-up: cancelling one look-up must not cancel others.
    const resolver = new Resolver({ timeout: QUERY_MILLIS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let late: NodeJS.Timeout | undefined;
    const ipv4 = family(4, resolver.resolve4(host));
    const startTimer = () => {
      late = setTimeout(cancel, IPV6_LATE_MILLIS);
    };
    ipv4.then(startTimer, () => {});
    const answers = await Promise.allSettled([ipv4, family(6, resolver.resolve6(host))]);
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
    return answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };

const family = async (number: number, addresses: Promise<string[]>): Promise<LookupAddress[]> =>
  (await addresses).map((address) => ({ address, family: number }));
