import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { Configuration, Configurations } from './configuration.ts';
import type { Save } from './manage-configurations.ts';
import { rotated, withoutPrevious } from './signing.ts';
import { newSecretFor, type SaveResult, type SealDeps } from './signing-secret.ts';

type Changes = Pick<Configurations, 'change'>;

/** Gives the configuration a new signing secret; the previous one keeps signing for a day. */
export async function rotateSigningSecret(
  saving: SealDeps & { readonly configurations: Changes },
  { tenant, id, now }: Save,
): Promise<SaveResult> {
  const signing = newSecretFor(saving, { tenant, configuration: id });
  const saved = await changeSecrets(saving.configurations, { tenant, id, now }, async (secrets) => {
    if (secrets.length === 0) throw notSigned();
    return rotated(secrets, await signing.seal(), now);
  });
  return signing.savedIn(saved);
}

/** Ends the replaced signing secrets at once. */
export async function endPreviousSecrets(configurations: Changes, key: Save): Promise<void> {
  await changeSecrets(configurations, key, withoutPrevious);
}

type Secrets = NonNullable<Configuration['signingSecrets']>;

async function changeSecrets(
  configurations: Changes,
  { tenant, id, now }: Save,
  edit: (secrets: Secrets) => Secrets | Promise<Secrets>,
): Promise<Configuration> {
  const saved = await configurations.change({ tenant, id }, async (stored) => ({
    ...stored,
    signingSecrets: await edit(stored.signingSecrets ?? []),
    updatedAt: isoTime(now),
  }));
  if (saved === 'missing') noSuch('API configuration');
  if (saved === 'name-taken') throw new Error('The name of a configuration was taken although it does not change.');
  return saved;
}

const notSigned = () =>
  new Refusal(
    409,
    'not-signed',
    'Requests of this API configuration are not signed. Set signature to standard-webhooks.',
  );
