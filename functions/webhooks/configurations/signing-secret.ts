import { faultOf } from '#shared/http/invalid-input';
import { isSignatureHeader } from '../sending/signature.ts';
import type { Configuration, SecretOwner, StoredAuthentication } from './configuration.ts';

export interface SealNew {
  /** Makes a secret that signs requests, from random bytes. */
  readonly newSigningSecret: () => string;
  /** To ciphertext in base64. */
  readonly encrypt: (secret: string, owner: SecretOwner) => Promise<string>;
}

/** A configuration as it is stored now, with the secret that this save has made for it: shown once, and never again. */
export interface Saved {
  readonly configuration: Configuration;
  readonly signingSecret?: string | undefined;
}

/** A secret that signs requests, made when a save turns out to need one. A save that is repeated makes another. */
export function newSecretFor({ encrypt, newSigningSecret }: SealNew, owner: SecretOwner) {
  let latest: { readonly secret: string; readonly sealed: string } | undefined;
  return {
    /** Makes one, as ciphertext. */
    seal: async (): Promise<string> => {
      const secret = newSigningSecret();
      const sealed = await encrypt(secret, owner);
      latest = { secret, sealed };
      return sealed;
    },
    /** Returns the configuration with the secret in clear, if it is the one that was saved. */
    savedIn: (configuration: Configuration): Saved => {
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
