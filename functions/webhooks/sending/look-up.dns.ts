import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { Target } from './target.ts';

/** Finds all addresses of a target's name, of both families. The signal aborts when they are no longer needed. */
export type LookUp = (target: Target, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** The first try of a query; each further one gets twice the time. */
const QUERY_MILLIS = 1_000;
const TRIES = 3;
/** How long to wait for IPv6 addresses after the IPv4 ones: some name servers never answer queries for them. */
const IPV6_LATE_MILLIS = 500;

/**
 * Queries DNS itself instead of the system's `getaddrinfo`, which would hold one of a few threads for as long as a name
 * server does not answer, even after the attempt is over: a few such names would block the look-ups of all tenants. A
 * target that may be private is on this machine or near it, so the system looks it up, which knows local names.
 * @param servers `address:port`. @default those of the system
 */
export const dnsLookUp =
  (servers?: readonly string[]): LookUp =>
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
    const found = await Promise.allSettled([ipv4, family(6, resolver.resolve6(host))]);
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };

const family = async (number: number, addresses: Promise<string[]>): Promise<LookupAddress[]> =>
  (await addresses).map((address) => ({ address, family: number }));
