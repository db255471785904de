import { faultOf } from '#shared/http/invalid-input';
import { isSignatureHeader } from '../sending/signature.ts';
import type { Configuration, SecretOwner, StoredAuthentication } from './configuration.ts';

export interface SealDeps {
  /** Returns a new signing secret from random bytes. */
  readonly newSigningSecret: () => string;
  /** Encrypts a secret to ciphertext in base64. */
  readonly encrypt: (secret: string, owner: SecretOwner) => Promise<string>;
}

/** A stored configuration, with the signing secret that this save has made: it is shown once and never again. */
export interface SaveResult {
  readonly configuration: Configuration;
  readonly signingSecret?: string | undefined;
}

/** Makes a signing secret if a save needs one. A repeated save makes another. */
export function newSecretFor({ encrypt, newSigningSecret }: SealDeps, owner: SecretOwner) {
  let latest: { readonly secret: string; readonly sealed: string } | undefined;
  return {
    /** Makes a secret and returns its ciphertext. */
    seal: async (): Promise<string> => {
      const secret = newSigningSecret();
      const sealed = await encrypt(secret, owner);
      latest = { secret, sealed };
      return sealed;
    },
    /** Returns the configuration, with the secret in clear if that secret was saved. */
    savedIn: (configuration: Configuration): SaveResult => {
      const isSaved = latest !== undefined && configuration.signingSecrets?.[0]?.secret === latest.sealed;
      return { configuration, ...(isSaved && { signingSecret: latest?.secret }) };
    },
  };
}

/** Refuses an API key in a header that the signature needs. */
export function requireSignable(authentication: StoredAuthentication, signs: boolean): void {
  if (signs && authentication.type === 'apiKey' && isSignatureHeader(authentication.headerName)) {
    throw faultOf('authentication.headerName', 'is a header of the signature');
  }
}

export function signable(configuration: Configuration): Configuration {
  requireSignable(configuration.authentication, (configuration.signingSecrets ?? []).length > 0);
  return configuration;
}
