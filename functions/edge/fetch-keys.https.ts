import type { JWK } from 'jose';
import * as z from 'zod/mini';

const KeySet = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) });

const TIMEOUT_MILLIS = 2_000;

/** The public keys that an issuer of tokens publishes (JWKS), by key id. A call that fails is made once more. */
export async function fetchKeys(url: string): Promise<ReadonlyMap<string, JWK>> {
  const text = await get(url).catch(() => get(url));
  const { keys } = KeySet.parse(JSON.parse(text));
  return new Map(keys.map((key) => [key.kid, key]));
}

async function get(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) });
  if (!answer.ok) throw new Error(`The issuer answered ${answer.status} instead of its keys.`);
  return answer.text();
}
