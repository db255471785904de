import type { Form } from '../pages/form.ts';
import type { Configuration } from './configuration-answers.ts';

export const AUTHENTICATION_TYPES = [
  ['none', 'None'],
  ['apiKey', 'API key in a header'],
  ['bearer', 'Bearer token'],
  ['basic', 'Basic (user name and password)'],
] as const;

export const SIGNATURES = [
  ['none', 'None'],
  ['standard-webhooks', 'Standard Webhooks (HMAC-SHA256)'],
] as const;

export const NEW_CONFIGURATION = {
  name: '',
  targetUrl: '',
  description: '',
  retryIntervalSeconds: '0',
  retryTimeoutSeconds: '30',
  maxAttempts: '3',
  isEnabled: true,
  type: 'none',
  headerName: 'X-Api-Key',
  username: '',
  signature: 'none',
};

/** The fields of the form, as text. Secrets are never displayed again. */
export type ConfigurationFields = Readonly<typeof NEW_CONFIGURATION>;

export const fieldsOf = (configuration: Configuration): ConfigurationFields => ({
  name: configuration.name,
  targetUrl: configuration.targetUrl,
  description: configuration.description,
  retryIntervalSeconds: String(configuration.retryIntervalSeconds),
  retryTimeoutSeconds: String(configuration.retryTimeoutSeconds),
  maxAttempts: String(configuration.maxAttempts),
  isEnabled: configuration.enabled ?? true,
  type: configuration.authentication.type,
  headerName: configuration.authentication.headerName ?? NEW_CONFIGURATION.headerName,
  username: configuration.authentication.username ?? '',
  signature: configuration.signature ?? NEW_CONFIGURATION.signature,
});

export const fieldsIn = (form: Form): ConfigurationFields => ({
  name: form.text('name'),
  targetUrl: form.text('targetUrl').trim(),
  description: form.text('description'),
  retryIntervalSeconds: form.text('retryIntervalSeconds').trim(),
  retryTimeoutSeconds: form.text('retryTimeoutSeconds').trim(),
  maxAttempts: form.text('maxAttempts').trim(),
  isEnabled: form.isChecked('isEnabled'),
  type: form.text('type') || 'none',
  headerName: form.text('headerName').trim(),
  username: form.text('username'),
  signature: form.text('signature') || NEW_CONFIGURATION.signature,
});

/**
 * The request body of a save. Members of the other types of authentication, which the form contains too, are left out.
 */
export function bodyOf(fields: ConfigurationFields, form: Form) {
  const { isEnabled, type, headerName, username, ...rest } = fields;
  return {
    ...rest,
    retryIntervalSeconds: numberIn(rest.retryIntervalSeconds),
    retryTimeoutSeconds: numberIn(rest.retryTimeoutSeconds),
    maxAttempts: numberIn(rest.maxAttempts),
    enabled: isEnabled,
    authentication: {
      type,
      ...(type === 'apiKey' && { headerName, key: form.text('key') }),
      ...(type === 'bearer' && { token: form.text('token') }),
      ...(type === 'basic' && { username, password: form.text('password') }),
    },
  };
}

/** Returns a number, or the unchanged text, which the API refuses with a reason. */
const numberIn = (text: string): number | string => (/^-?\d{1,9}$/.test(text) ? Number(text) : text);
