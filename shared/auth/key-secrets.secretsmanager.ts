import { setTimeout as sleep } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { callLimits } from '#shared/call-limits';
import { countFault } from '#shared/faults';
import { log } from '#shared/log';
import type { KeySecrets } from './self-proving-key.ts';

const Secrets = z.record(z.string().check(z.regex(/^[0-9]$/)), z.string().check(z.minLength(32)));

/** A rotated secret is seen within this time. */
const KEPT_MILLIS = 10 * 60_000;
/** A reading that failed is not repeated before this time, while there are secrets to serve on with. */
const REPEATED_MILLIS = 30_000;
/** Longest wait for a newer secret where there is one already. */
const WAIT_MILLIS = 200;

/**
 * The server secrets of keys, `{"1": "…"}`, read when first needed and kept by the function. Secrets that are known serve
 * on when Secrets Manager does not answer, at a bounded wait twice a minute. Without any, the call fails, and the next one
 * reads again: nobody can be let in.
 */
export function keySecrets(
  secretId: string,
  client: Pick<SecretsManagerClient, 'send'> = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: callLimits(2_000),
  }),
): (now: number) => Promise<KeySecrets> {
  let known: { readonly secrets: KeySecrets; readonly until: number } | undefined;
  let reading: Promise<KeySecrets> | undefined;

  async function read(now: number): Promise<KeySecrets> {
    try {
      const { SecretString: text = '{}' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      const secrets = Secrets.parse(JSON.parse(text));
      known = { secrets, until: now + KEPT_MILLIS };
      return secrets;
    } catch (error) {
      if (!known) throw error;
      // Keys made with a secret that is not known here are refused until it can be read.
      log.error('secrets of keys not read', { error });
      countFault();
      known = { ...known, until: now + REPEATED_MILLIS };
      return known.secrets;
    }
  }

  return async (now) => {
    if (known && known.until > now) return known.secrets;
    reading ??= read(now).finally(() => {
      reading = undefined;
    });
    return known ? Promise.race([reading, sleep(WAIT_MILLIS, known.secrets, { ref: false })]) : reading;
  };
}
