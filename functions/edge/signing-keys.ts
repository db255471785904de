import type { JWK } from 'jose';

/** The key with this id; undefined if there is none. Fails if that could not be found out. */
export type SigningKeys = (keyId: string, now: number) => Promise<JWK | undefined>;

/** A token with an unknown key, which anyone may send, makes a call at most this often. */
const ASKED_AGAIN_MILLIS = 60_000;
/** The longest time for which a withdrawn key is accepted, while the issuer answers. */
const CACHED_MILLIS = 3_600_000;

/** The public keys of an issuer, kept by the function. Known keys serve on while the issuer does not answer. */
export function signingKeys(fetchKeys: () => Promise<ReadonlyMap<string, JWK>>): SigningKeys {
  let cache: { readonly keys: ReadonlyMap<string, JWK>; readonly until: number } | undefined;
  let askedAt = 0;
  let failure: { readonly cause: unknown } | undefined;

  async function ask(now: number): Promise<void> {
    askedAt = now;
    try {
      cache = { keys: await fetchKeys(), until: now + CACHED_MILLIS };
      failure = undefined;
    } catch (cause) {
      failure = { cause };
    }
  }

  return async (keyId, now) => {
    const isMissing = !cache?.keys.has(keyId) || cache.until <= now;
    if (isMissing && (!cache || now - askedAt >= ASKED_AGAIN_MILLIS)) await ask(now);
    const key = cache?.keys.get(keyId);
    // The key may be one that the issuer has added since.
    if (!key && failure) throw failure.cause;
    return key;
  };
}
