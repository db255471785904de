import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import type { TenantKey } from '#shared/ids';
import { type PrivateTargets, readTarget } from '../sending/target-policy.ts';
import { type AuthenticationInput, savedAuthentication, typedSecret } from './authentication.ts';
import { type Configuration, type Configurations, type SecretOwner } from './configuration.ts';
import type { ConfigurationChange, NewConfiguration } from './configuration-input.ts';
import { savedSigning } from './signing.ts';
import { newSecretFor, type SaveResult, type SealDeps, signable } from './signing-secret.ts';

/** The dependencies of a save. */
export interface SaveDeps extends SealDeps {
  readonly configurations: Configurations;
  readonly privateTargets: PrivateTargets;
}

export interface Save extends TenantKey {
  readonly now: number;
}

export async function createConfiguration(
  saving: SaveDeps,
  { targetUrl, authentication, signature, ...fields }: NewConfiguration,
  { tenant, id, now }: Save,
): Promise<SaveResult> {
  const target = checkedUrl(targetUrl, saving.privateTargets);
  const owner = { tenant, configuration: id };
  const sealed = await sealedSecret(saving, authentication, owner);
  const signing = newSecretFor(saving, owner);
  const configuration: Configuration = signable({
    id,
    tenant,
    ...fields,
    targetUrl: target,
    authentication: authentication ? savedAuthentication(authentication, { sealed }) : { type: 'none' },
    signingSecrets: await savedSigning({ signature: signature, stored: [], isMoved: false, sealNew: signing.seal }),
    createdAt: isoTime(now),
    updatedAt: isoTime(now),
  });
  if ((await saving.configurations.add(configuration)) === 'name-taken') throw nameTaken(configuration.name);
  return signing.savedIn(configuration);
}

/**
 * Saves the given fields over the stored ones. An absent authentication stays, because callers cannot read its secret
 * to repeat it. No secret is sent to another server than it was entered for: after a move the caller enters the secret
 * again, and a new signing secret is made.
 */
export async function changeConfiguration(
  saving: SaveDeps,
  { authentication, signature, ...change }: ConfigurationChange,
  { tenant, id, now }: Save,
): Promise<SaveResult> {
  if (change.targetUrl !== undefined) checkedUrl(change.targetUrl, saving.privateTargets);
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
        signature: signature,
        stored: stored.signingSecrets,
        isMoved,
        sealNew: signing.seal,
      }),
      updatedAt: isoTime(now),
    });
  });
  if (saved === 'missing') noSuch('API configuration');
  if (saved === 'name-taken') throw nameTaken(change.name);
  return signing.savedIn(saved);
}

/** Deletes a configuration. Rules that use it must be changed or deleted first. */
export async function deleteConfiguration(configurations: Configurations, key: TenantKey): Promise<void> {
  const removal = await configurations.remove(key);
  if (removal.kind === 'missing') noSuch('API configuration');
  if (removal.kind === 'in-use') throw inUse(removal.ruleCount);
}

export function checkedUrl(url: string, allowed: PrivateTargets): string {
  // The URL parser silently drops line breaks and tabs.
  const read = /[\s\p{Cc}]/u.test(url)
    ? { ok: false as const, reason: 'must not contain spaces' }
    : readTarget(url, allowed);
  if (!read.ok) throw faultOf('targetUrl', read.reason, { status: 400, code: 'invalid-target' });
  return url;
}

export const originOf = (url: string) => new URL(url).origin;

async function sealedSecret(
  { encrypt }: SaveDeps,
  input: AuthenticationInput | null | undefined,
  owner: SecretOwner,
): Promise<string | undefined> {
  const secret = input ? typedSecret(input) : undefined;
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
