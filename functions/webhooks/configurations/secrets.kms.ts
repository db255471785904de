import { createHash } from 'node:crypto';
import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms';
import { callLimits } from '#shared/call-limits';
import type { ClearSecrets, Configuration, SecretOwner } from './configuration.ts';
import { validSecrets } from './signing.ts';

export interface SecretsOptions {
  /** The ARN of the key. */
  readonly key: string;
  /** @default one client for the whole function */
  readonly client?: KMSClient;
  /** Milliseconds. @default performance.now */
  readonly clock?: () => number;
}

/**
 * A role that has lost its permission must not keep working for long. An edited secret is used at once, since its
 * ciphertext is different.
 */
const CACHED_MILLIS = 5 * 60_000;
const CACHED_MAX = 1_000;

let ownClient: KMSClient | undefined;
const kms = () =>
  (ownClient ??= new KMSClient({
    maxAttempts: 5,
    requestHandler: callLimits(3_000),
  }));

/** Secrets as ciphertext in base64, bound to their owner: another owner's name decrypts nothing. */
export function kmsSecrets({ key, client = kms(), clock = () => performance.now() }: SecretsOptions) {
  const cache = new Map<string, { readonly secret: string; readonly until: number }>();

  const encrypt = async (secret: string, owner: SecretOwner): Promise<string> => {
    const { CiphertextBlob: blob } = await client.send(
      new EncryptCommand({ KeyId: key, Plaintext: Buffer.from(secret), EncryptionContext: contextOf(owner) }),
    );
    if (!blob) throw new Error('KMS returned no ciphertext.');
    return Buffer.from(blob).toString('base64');
  };

  /** Undefined if it can never be decrypted: it belongs to another key, say, because the table came from a backup. */
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
    // Moved to the end, so that the secret decrypted longest ago comes first.
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

/** Just these names: the roles may use the key with no others. */
const contextOf = ({ tenant, configuration }: SecretOwner) => ({ tenant, configuration });

/** Includes the owner, or a copied ciphertext would yield its secret under any name. */
const cacheName = (ciphertext: string, { tenant, configuration }: SecretOwner) =>
  createHash('sha256')
    .update(JSON.stringify([ciphertext, tenant, configuration]))
    .digest('base64');

/**
 * The secrets of a configuration in clear that an attempt needs at this time; undefined if one of them can no longer be
 * decrypted.
 */
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
