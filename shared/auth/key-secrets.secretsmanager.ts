import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { callLimits } from '#shared/call-limits';
import type { KeySecrets } from './self-proving-key.ts';

const Secrets = z.record(z.string().check(z.regex(/^[0-9]$/)), z.string().check(z.minLength(32)));

/** A rotated secret is seen within this time. */
const KEPT_MILLIS = 10 * 60_000;

/**
 * The server secrets of keys, `{"1": "…"}`, read when first needed and kept by the function. A reading that fails is
 * repeated by the next caller, and secrets that are known serve on.
 */
export function keySecrets(
  secretId: string,
  client = new SecretsManagerClient({ maxAttempts: 3, requestHandler: callLimits(2_000) }),
): (now: number) => Promise<KeySecrets> {
  let known: { readonly secrets: KeySecrets; readonly until: number } | undefined;
  let reading: Promise<KeySecrets> | undefined;

  async function read(now: number): Promise<KeySecrets> {
    const { SecretString: text = '{}' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const secrets = Secrets.parse(JSON.parse(text));
    known = { secrets, until: now + KEPT_MILLIS };
    return secrets;
  }

  return async (now) => {
    if (known && known.until > now) return known.secrets;
    reading ??= read(now).finally(() => {
      reading = undefined;
    });
    // Without the rotated secret, keys made since the rotation are refused; without any, nobody can be let in.
    return known ? reading.catch(() => known?.secrets ?? {}) : reading;
  };
}
