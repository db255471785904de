import { presentAuthentication } from './authentication.ts';
import { type Configuration, OPERATION_TYPE } from './configuration.ts';
import { presentSigning } from './signing.ts';
import type { SaveResult } from './signing-secret.ts';

/** The configuration as the management API shows it at this time. */
export const presentConfiguration = (configuration: Configuration, now: number) => ({
  id: configuration.id,
  name: configuration.name,
  targetUrl: configuration.targetUrl,
  operationType: OPERATION_TYPE,
  retryIntervalSeconds: configuration.retryIntervalSeconds,
  retryTimeoutSeconds: configuration.retryTimeoutSeconds,
  maxAttempts: configuration.maxAttempts,
  description: configuration.description,
  authentication: presentAuthentication(configuration.authentication),
  ...presentSigning(configuration.signingSecrets, now),
  enabled: configuration.enabled,
  createdAt: configuration.createdAt,
  updatedAt: configuration.updatedAt,
});

/** The response to a save: the configuration, and the signing secret that was made for it. */
export const presentSaved = ({ configuration, signingSecret }: SaveResult, now: number) => ({
  ...presentConfiguration(configuration, now),
  ...(signingSecret !== undefined && { signingSecret }),
});
