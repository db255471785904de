import { setTimeout as sleep } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { callLimits } from '#shared/quotas/call-limits';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import type { KeySecrets } from './self-proving-key.ts';

const Secrets = z.record(z.string().check(z.regex(/^[0-9]$/)), z.string().check(z.minLength(32)));

/** The longest time until a rotated secret is used. */
const KEPT_MILLIS = 10 * 60_000;
/** The pause after a failed read while cached secrets are used. */
const REPEATED_MILLIS = 30_000;
/** The longest wait for a newer secret while an older one is cached. */
const WAIT_MILLIS = 200;

/**
 * Reads the server secrets of keys, `{"1": "…"}`, when they are first needed, and caches them. Cached secrets are used
 * while Secrets Manager does not answer, with a bounded wait twice a minute. Without cached secrets the call fails and
 * the next call reads again: no caller can be authenticated.
 */
export function keySecrets(
  secretId: string,
  client: Pick<SecretsManagerClient, 'send'> = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: callLimits(2_000),
  }),
): (now: number) => Promise<KeySecrets> {
  let cached: { readonly secrets: KeySecrets; readonly until: number } | undefined;
  let reading: Promise<KeySecrets> | undefined;

  async function read(now: number): Promise<KeySecrets> {
    try {
      const { SecretString: text = '{}' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      const secrets = Secrets.parse(JSON.parse(text));
      cached = { secrets, until: now + KEPT_MILLIS };
      return secrets;
    } catch (error) {
      if (!cached) throw error;
      // Keys issued with a secret that is not cached are refused until it can be read.
      log.error('secrets of keys not read', { error });
      countFault();
      cached = { ...cached, until: now + REPEATED_MILLIS };
      return cached.secrets;
    }
  }

  return async (now) => {
    if (cached && cached.until > now) return cached.secrets;
    reading ??= read(now).finally(() => {
      reading = undefined;
    });
    return cached ? Promise.race([reading, sleep(WAIT_MILLIS, cached.secrets, { ref: false })]) : reading;
  };
}
