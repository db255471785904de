/** Resolves the host of a webhook, and refuses it if any of its addresses is not public (`ip-address.ts`). */
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
  // A host that is an IP address needs no lookup, so it is checked here in the same way as resolved ones.
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
