import { type Draft, tenantFaults } from '#shared/http/management-api';
import { savedAuthentication, typedSecret } from './authentication.ts';
import { ConfigurationChange } from './configuration-input.ts';
import { checkedUrl, nameTaken, originOf, type SaveDeps } from './manage-configurations.ts';
import { requireSignable } from './signing-secret.ts';

/** The checks of a save beyond the schema. */
export const configurationFaults = (saving: Pick<SaveDeps, 'configurations' | 'privateTargets'>) =>
  tenantFaults(ConfigurationChange, (sound, draft) => configurationChecks(saving, sound, draft));

async function configurationChecks(
  { configurations, privateTargets }: Pick<SaveDeps, 'configurations' | 'privateTargets'>,
  { name, targetUrl, authentication, signature }: ConfigurationChange,
  { tenant, id, unsound }: Draft,
) {
  const stored = id === undefined ? undefined : await configurations.byId({ tenant, id });
  const isMoved = stored && URL.canParse(targetUrl ?? '') && originOf(targetUrl ?? '') !== originOf(stored.targetUrl);
  const input = authentication ?? (stored && { type: stored.authentication.type });
  const signs = signature === undefined ? (stored?.signingSecrets ?? []).length > 0 : signature !== 'none';
  return [
    () => targetUrl !== undefined && checkedUrl(targetUrl, privateTargets),
    async () => {
      if (name !== undefined && name !== stored?.name && (await configurations.isNameTaken(tenant, name)))
        throw nameTaken(name);
    },
    () => {
      if (!input || unsound.has('authentication')) return;
      const edited = { stored: stored?.authentication, sealed: typedSecret(input), isMoved };
      requireSignable(savedAuthentication(input, edited), signs);
    },
  ];
}
