/** The addresses that a webhook may be sent to, of those that its host resolves to. */
import type { LookupAddress } from 'node:dns';
import { isPublicAddress, parseAddress } from './ip-address.ts';
import type { SendFailure } from './sending.ts';
import type { Target } from './target-policy.ts';

/** Resolves all IPv4 and IPv6 addresses of a target's name. The signal cancels the lookup. */
export type ResolveHost = (target: Target, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/**
 * Returns the addresses to call. A single forbidden address refuses all of them, because a name server that returns one
 * cannot be trusted.
 */
export async function vettedAddresses(
  target: Target,
  resolveHost: ResolveHost,
  signal: AbortSignal,
): Promise<readonly LookupAddress[] | SendFailure> {
  const addresses = await addressesOf(target, resolveHost, signal);
  if (typeof addresses === 'string' || target.mayBePrivate) return addresses;
  return addresses.every(({ address }) => isPublicAddress(address)) ? addresses : 'blocked_target';
}

async function addressesOf(
  target: Target,
  resolveHost: ResolveHost,
  signal: AbortSignal,
): Promise<readonly LookupAddress[] | SendFailure> {
  // The connection would not look up an address, so it is vetted here like the answer to a look-up.
  if (target.isAddress) return [{ address: target.host, family: parseAddress(target.host)?.family ?? 0 }];
  try {
    const addresses = await Promise.race([resolveHost(target, signal), aborted(signal)]);
    return addresses.length > 0 ? addresses : 'dns_failed';
  } catch {
    return signal.aborted ? 'timeout' : 'dns_failed';
  }
}

function aborted(signal: AbortSignal): Promise<SendFailure> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('timeout'), { once: true });
  });
}
