import { Refusal } from '#shared/errors';
import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import { type PrivateTargets, readTarget } from '../sending/target.ts';
import {
  presentAuthentication,
  type StatedAuthentication,
  savedAuthentication,
  typedSecret,
} from './authentication.ts';
import { type Configuration, type Configurations, OPERATION_TYPE } from './configuration.ts';
import type { ConfigurationChange, NewConfiguration } from './configuration-input.ts';

/**
 * The owner of a secret. A ciphertext cannot be decrypted for another owner, so copying it to another tenant is
 * useless.
 */
export interface SecretOwner {
  readonly tenant: string;
  readonly configuration: string;
}

/** The ports of a save. */
export interface Saving {
  readonly configurations: Configurations;
  /** To ciphertext in base64. */
  readonly encrypt: (secret: string, owner: SecretOwner) => Promise<string>;
  readonly privateTargets: PrivateTargets;
}

interface Save extends TenantKey {
  readonly now: number;
}

export async function createConfiguration(
  saving: Saving,
  { targetUrl, authentication, ...stated }: NewConfiguration,
  { tenant, id, now }: Save,
): Promise<Configuration> {
  const target = vetted(targetUrl, saving.privateTargets);
  const sealed = await sealedSecret(saving, authentication, { tenant, configuration: id });
  const configuration: Configuration = {
    id,
    tenant,
    ...stated,
    targetUrl: target,
    authentication: authentication ? savedAuthentication(authentication, { sealed }) : { type: 'none' },
    createdAt: isoTime(now),
    updatedAt: isoTime(now),
  };
  if ((await saving.configurations.add(configuration)) === 'name-taken') throw nameTaken(configuration.name);
  return configuration;
}

/**
 * Saves the stated fields over the stored ones. Authentication that is not stated stays, because no caller can read the
 * secret to repeat it; but a secret does not follow the URL to another server.
 */
export async function changeConfiguration(
  saving: Saving,
  { authentication, ...change }: ConfigurationChange,
  { tenant, id, now }: Save,
): Promise<Configuration> {
  if (change.targetUrl !== undefined) vetted(change.targetUrl, saving.privateTargets);
  const sealed = await sealedSecret(saving, authentication, { tenant, configuration: id });
  const saved = await saving.configurations.change({ tenant, id }, (stored) => ({
    ...stored,
    ...change,
    authentication: savedAuthentication(authentication ?? { type: stored.authentication.type }, {
      stored: stored.authentication,
      sealed,
      isMoved: originOf(change.targetUrl ?? stored.targetUrl) !== originOf(stored.targetUrl),
    }),
    updatedAt: isoTime(now),
  }));
  if (saved === 'missing') throw missing();
  if (saved === 'name-taken') throw nameTaken(change.name);
  return saved;
}

export async function configurationById(configurations: Pick<Configurations, 'byId'>, key: TenantKey) {
  const configuration = await configurations.byId(key);
  if (!configuration) throw missing();
  return configuration;
}

/** Rules that name it must be changed or deleted first. */
export async function deleteConfiguration(configurations: Configurations, key: TenantKey): Promise<void> {
  const removal = await configurations.remove(key);
  if (removal.kind === 'missing') throw missing();
  if (removal.kind === 'in-use') throw inUse(removal.ruleCount);
}

/** The configuration as the management API shows it. */
export const presentConfiguration = (configuration: Configuration) => ({
  id: configuration.id,
  name: configuration.name,
  targetUrl: configuration.targetUrl,
  operationType: OPERATION_TYPE,
  retryIntervalSeconds: configuration.retryIntervalSeconds,
  retryTimeoutSeconds: configuration.retryTimeoutSeconds,
  maxAttempts: configuration.maxAttempts,
  description: configuration.description,
  authentication: presentAuthentication(configuration.authentication),
  enabled: configuration.enabled,
  createdAt: configuration.createdAt,
  updatedAt: configuration.updatedAt,
});

function vetted(url: string, allowed: PrivateTargets): string {
  // The parser of URLs silently drops line breaks and tabs.
  const read = /[\s\p{Cc}]/u.test(url)
    ? { ok: false as const, reason: 'must not hold blanks' }
    : readTarget(url, allowed);
  if (!read.ok) throw new Refusal(400, 'invalid-target', `targetUrl: ${read.reason}.`);
  return url;
}

const originOf = (url: string) => new URL(url).origin;

async function sealedSecret(
  { encrypt }: Saving,
  stated: StatedAuthentication | null | undefined,
  owner: SecretOwner,
): Promise<string | undefined> {
  const secret = stated ? typedSecret(stated) : undefined;
  return secret === undefined ? undefined : encrypt(secret, owner);
}

const nameTaken = (name: string | undefined) =>
  new Refusal(409, 'name-taken', `There is an API configuration ${name} already.`);
const inUse = (rules: number) =>
  new Refusal(
    409,
    'in-use',
    rules === 1 ? '1 rule sends to this API configuration.' : `${rules} rules send to this API configuration.`,
  );
const missing = () => new Refusal(404, 'not-found', 'There is no such API configuration.');
