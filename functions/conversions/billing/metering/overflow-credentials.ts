import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { Caller } from './admission.ts';

/**
 * The longest time for which a revoked credential of this kind is accepted; one within the account's item ends at once.
 */
const CACHED_MILLIS = 30_000;
const CREDENTIALS_MAX = 1_000;

const CredentialItem = z.object({
  tenant: z.string(),
  mode: z.enum(['live', 'test']),
  hash: z.string(),
  revokedAt: z.optional(z.string()),
});

/** Looks up credentials that do not fit into the account's item, and caches them. */
export class OverflowCredentials {
  private readonly cache = new LRUCache<string, { readonly isKnown: boolean; readonly until: number }>({
    max: CREDENTIALS_MAX,
  });
  private readonly read: (id: string, signal: AbortSignal) => Promise<unknown>;
  private readonly now: () => number;

  /** @param now milliseconds */
  constructor(read: (id: string, signal: AbortSignal) => Promise<unknown>, now: () => number) {
    this.read = read;
    this.now = now;
  }

  async knows({ credentialId, tenant, mode, hash }: Caller, signal: AbortSignal): Promise<boolean> {
    const name = `${tenant} ${mode} ${credentialId} ${hash}`;
    const cached = this.cache.get(name);
    // The time is taken before the read, so that a revocation during the read takes effect in time too.
    const now = this.now();
    if (cached && cached.until > now) return cached.isKnown;
    const credential = CredentialItem.safeParse(await this.read(credentialId, signal)).data;
    const isKnown =
      credential?.tenant === tenant &&
      credential.mode === mode &&
      (hash === undefined || credential.hash === hash) &&
      credential.revokedAt === undefined;
    this.cache.set(name, { isKnown, until: now + CACHED_MILLIS });
    return isKnown;
  }
}
