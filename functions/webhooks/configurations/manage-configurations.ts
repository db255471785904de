import { Refusal } from '#shared/errors';
import { faultOf } from '#shared/http/invalid-input';
import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import { type PrivateTargets, readTarget } from '../sending/target.ts';
import { type StatedAuthentication, savedAuthentication, typedSecret } from './authentication.ts';
import { type Configuration, type Configurations, missingConfiguration, type SecretOwner } from './configuration.ts';
import type { ConfigurationChange, NewConfiguration } from './configuration-input.ts';
import { savedSigning } from './signing.ts';
import { newSecretFor, type Saved, type SealNew, signable } from './signing-secret.ts';

/** The ports of a save. */
export interface Saving extends SealNew {
  readonly configurations: Configurations;
  readonly privateTargets: PrivateTargets;
}

export interface Save extends TenantKey {
  readonly now: number;
}

export async function createConfiguration(
  saving: Saving,
  { targetUrl, authentication, signature, ...stated }: NewConfiguration,
  { tenant, id, now }: Save,
): Promise<Saved> {
  const target = vetted(targetUrl, saving.privateTargets);
  const owner = { tenant, configuration: id };
  const sealed = await sealedSecret(saving, authentication, owner);
  const signing = newSecretFor(saving, owner);
  const configuration: Configuration = signable({
    id,
    tenant,
    ...stated,
    targetUrl: target,
    authentication: authentication ? savedAuthentication(authentication, { sealed }) : { type: 'none' },
    signingSecrets: await savedSigning({ stated: signature, stored: [], isMoved: false, sealNew: signing.seal }),
    createdAt: isoTime(now),
    updatedAt: isoTime(now),
  });
  if ((await saving.configurations.add(configuration)) === 'name-taken') throw nameTaken(configuration.name);
  return signing.savedIn(configuration);
}

/**
 * Saves the stated fields over the stored ones. Authentication that is not stated stays, because no caller can read the
 * secret to repeat it; but a secret does not follow the URL to another server. Neither do those that sign: that server gets
 * a new one.
 */
export async function changeConfiguration(
  saving: Saving,
  { authentication, signature, ...change }: ConfigurationChange,
  { tenant, id, now }: Save,
): Promise<Saved> {
  if (change.targetUrl !== undefined) vetted(change.targetUrl, saving.privateTargets);
  const owner = { tenant, configuration: id };
  const sealed = await sealedSecret(saving, authentication, owner);
  const signing = newSecretFor(saving, owner);
  const saved = await saving.configurations.change({ tenant, id }, async (stored) => {
    const isMoved = originOf(change.targetUrl ?? stored.targetUrl) !== originOf(stored.targetUrl);
    return signable({
      ...stored,
      ...change,
      authentication: savedAuthentication(authentication ?? { type: stored.authentication.type }, {
        stored: stored.authentication,
        sealed,
        isMoved,
      }),
      signingSecrets: await savedSigning({
        stated: signature,
        stored: stored.signingSecrets,
        isMoved,
        sealNew: signing.seal,
      }),
      updatedAt: isoTime(now),
    });
  });
  if (saved === 'missing') throw missingConfiguration();
  if (saved === 'name-taken') throw nameTaken(change.name);
  return signing.savedIn(saved);
}

/** Rules that name it must be changed or deleted first. */
export async function deleteConfiguration(configurations: Configurations, key: TenantKey): Promise<void> {
  const removal = await configurations.remove(key);
  if (removal.kind === 'missing') throw missingConfiguration();
  if (removal.kind === 'in-use') throw inUse(removal.ruleCount);
}

export function vetted(url: string, allowed: PrivateTargets): string {
  // The parser of URLs silently drops line breaks and tabs.
  const read = /[\s\p{Cc}]/u.test(url)
    ? { ok: false as const, reason: 'must not hold blanks' }
    : readTarget(url, allowed);
  if (!read.ok) throw faultOf('targetUrl', read.reason, { status: 400, code: 'invalid-target' });
  return url;
}

export const originOf = (url: string) => new URL(url).origin;

async function sealedSecret(
  { encrypt }: Saving,
  stated: StatedAuthentication | null | undefined,
  owner: SecretOwner,
): Promise<string | undefined> {
  const secret = stated ? typedSecret(stated) : undefined;
  return secret === undefined ? undefined : encrypt(secret, owner);
}

export const nameTaken = (name: string | undefined) =>
  faultOf('name', `There is an API configuration ${name} already.`, { status: 409, code: 'name-taken' });
const inUse = (rules: number) =>
  new Refusal(
    409,
    'in-use',
    rules === 1 ? '1 rule sends to this API configuration.' : `${rules} rules send to this API configuration.`,
  );
