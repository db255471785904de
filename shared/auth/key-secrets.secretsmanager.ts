import { setTimeout as sleep } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { callLimits } from '#shared/quotas/call-limits';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { CACHED_MILLIS, issuingSecrets, KeySecretsText } from './key-rotation.ts';
import type { KeySecrets } from './self-proving-key.ts';

/** The pause after a failed read while cached secrets are used. */
const REPEATED_MILLIS = 30_000;
/** The longest wait for a newer secret while an older one is cached. */
const WAIT_MILLIS = 200;

/** The secrets of one purpose: those that are accepted, and those that new keys and tokens are made with. */
export interface SecretsReader {
  (now: number): Promise<KeySecrets>;
  /** Without a version that is so new that another function may not know it yet. */
  issuing(now: number): Promise<KeySecrets>;
}

interface Cached {
  readonly secrets: KeySecrets;
  readonly changedAt: number;
  readonly until: number;
}

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
): SecretsReader {
  let cached: Cached | undefined;
  let reading: Promise<Cached> | undefined;

  async function read(now: number): Promise<Cached> {
    try {
      const { SecretString: text, CreatedDate: changed } = await client.send(
        new GetSecretValueCommand({ SecretId: secretId }),
      );
      const secrets = KeySecretsText.parse(text);
      cached = { secrets, changedAt: changed?.getTime() ?? 0, until: now + CACHED_MILLIS };
      return cached;
    } catch (error) {
      if (!cached) throw error;
      // Keys issued with a secret that is not cached are refused until it can be read.
      log.error('secrets of keys not read', { error });
      countFault();
      cached = { ...cached, until: now + REPEATED_MILLIS };
      return cached;
    }
  }

  async function current(now: number): Promise<Cached> {
    if (cached && cached.until > now) return cached;
    reading ??= read(now).finally(() => {
      reading = undefined;
    });
    return cached ? Promise.race([reading, sleep(WAIT_MILLIS, cached, { ref: false })]) : reading;
  }

  return Object.assign(async (now: number) => (await current(now)).secrets, {
    issuing: async (now: number) => issuingSecrets(await current(now), now),
  });
}
