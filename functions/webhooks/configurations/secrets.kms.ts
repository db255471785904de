import { createHash } from 'node:crypto';
import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms';
import { callLimits } from '#shared/quotas/call-limits';
import type { ClearSecrets, Configuration, SecretOwner } from './configuration.ts';
import { validSecrets } from './signing.ts';

export interface SecretsOptions {
  /** The ARN of the key. */
  readonly key: string;
  /** @default one client for the whole function */
  readonly client?: KMSClient;
  /** The time in milliseconds. @default performance.now */
  readonly clock?: () => number;
}

/**
 * The time that a decrypted secret is cached: a role that loses its permission must stop working soon. An edited secret
 * is used at once, since its ciphertext is different.
 */
const CACHED_MILLIS = 5 * 60_000;
const CACHED_MAX = 1_000;

let ownClient: KMSClient | undefined;
const kms = () =>
  (ownClient ??= new KMSClient({
    maxAttempts: 5,
    requestHandler: callLimits(3_000),
  }));

/**
 * Encrypts and decrypts secrets as ciphertext in base64, bound to their owner: it cannot be decrypted for another one.
 */
export function kmsSecrets({ key, client = kms(), clock = () => performance.now() }: SecretsOptions) {
  const cache = new Map<string, { readonly secret: string; readonly until: number }>();

  const encrypt = async (secret: string, owner: SecretOwner): Promise<string> => {
    const { CiphertextBlob: blob } = await client.send(
      new EncryptCommand({ KeyId: key, Plaintext: Buffer.from(secret), EncryptionContext: contextOf(owner) }),
    );
    if (!blob) throw new Error('KMS returned no ciphertext.');
    return Buffer.from(blob).toString('base64');
  };

  /** Undefined if it can never be decrypted, for example because the table was restored from another key's backup. */
  const decrypt = async (ciphertext: string, owner: SecretOwner): Promise<string | undefined> => {
    const name = cacheName(ciphertext, owner);
    const cached = cache.get(name);
    if (cached && clock() < cached.until) return cached.secret;
    const decrypting = new DecryptCommand({
      KeyId: key,
      CiphertextBlob: Buffer.from(ciphertext, 'base64'),
      EncryptionContext: contextOf(owner),
    });
    const answer = await client.send(decrypting).catch(nothingIfUndecryptable);
    if (!answer) return undefined;
    if (!answer.Plaintext) throw new Error('KMS returned no plaintext.');
    const secret = Buffer.from(answer.Plaintext).toString();
    keep(name, secret);
    return secret;
  };

  function keep(name: string, secret: string) {
    // Re-inserted at the end, so that the first entry is the one decrypted longest ago.
    cache.delete(name);
    const [oldest] = cache.keys();
    if (cache.size >= CACHED_MAX && oldest !== undefined) cache.delete(oldest);
    cache.set(name, { secret, until: clock() + CACHED_MILLIS });
  }

  return { encrypt, decrypt };
}

function nothingIfUndecryptable(error: unknown): undefined {
  if (error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException) return undefined;
  throw error;
}

/** The roles may use the key with exactly these names in the context. */
const contextOf = ({ tenant, configuration }: SecretOwner) => ({ tenant, configuration });

/** The cache key includes the owner: a ciphertext copied to another owner must not return the secret. */
const cacheName = (ciphertext: string, { tenant, configuration }: SecretOwner) =>
  createHash('sha256')
    .update(JSON.stringify([ciphertext, tenant, configuration]))
    .digest('base64');

/** Decrypts the secrets that an attempt needs at this time; undefined if one of them can no longer be decrypted. */
export const secretsOf =
  ({ decrypt }: Pick<ReturnType<typeof kmsSecrets>, 'decrypt'>) =>
  async (configuration: Configuration, now: number): Promise<ClearSecrets | undefined> => {
    const { tenant, id, authentication, signingSecrets } = configuration;
    const inClear = ({ secret }: { readonly secret: string }) => decrypt(secret, { tenant, configuration: id });
    const [authenticating, ...signing] = await Promise.all([
      authentication.type === 'none' ? '' : inClear(authentication),
      ...validSecrets(signingSecrets, now).map(inClear),
    ]);
    if (authenticating === undefined || !signing.every((secret) => secret !== undefined)) return undefined;
    return { ...(authentication.type !== 'none' && { authentication: authenticating }), signing };
  };
