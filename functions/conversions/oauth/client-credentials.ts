import { SUSPENDED } from '#shared/auth/account-status';

/** A client as it presents itself to `POST /oauth/token` (RFC 6749, section 2.3.1). */
export interface PresentedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** True if the client used HTTP Basic; the answer to a wrong secret then names that scheme. */
  readonly isBasic: boolean;
}

/** An error of RFC 6749, section 5.2. */
export interface OAuthError {
  readonly status: number;
  readonly error:
    | 'server_error'
    | 'temporarily_unavailable'
    | 'invalid_request'
    | 'invalid_client'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'invalid_scope';
  readonly description: string;
}

const FORM_CHARACTERS_MAX = 8_192;

interface TokenRequest {
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Reads the client of a token request, or the error of the request. No parameter may occur twice. */
export function clientIn({ contentType = '', authorization, body }: TokenRequest): PresentedClient | OAuthError {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType.trim())) {
    return invalid('Send a form: Content-Type: application/x-www-form-urlencoded.');
  }
  if (body.length > FORM_CHARACTERS_MAX) return invalid('The form is too long.');
  const form = new URLSearchParams(body);
  for (const name of form.keys()) {
    if (form.getAll(name).length > 1) return invalid(`${nameable(name)} stands there more than once.`);
  }
  const grant = parameterOf(form, 'grant_type');
  if (grant === undefined) return invalid('grant_type is missing: send grant_type=client_credentials.');
  if (grant !== 'client_credentials') {
    return { status: 400, error: 'unsupported_grant_type', description: 'Only client_credentials is supported.' };
  }
  if (parameterOf(form, 'scope') !== undefined)
    return { status: 400, error: 'invalid_scope', description: 'Tokens have no scopes here.' };
  return presented(authorization, form);
}

function presented(authorization: string | undefined, form: URLSearchParams): PresentedClient | OAuthError {
  const [id, secret] = [parameterOf(form, 'client_id'), parameterOf(form, 'client_secret')];
  if (authorization !== undefined) {
    if (secret !== undefined) return invalid('Send the client secret either by HTTP Basic or in the form, not both.');
    const basic = basicIn(authorization);
    if (!basic || (id !== undefined && id !== basic.clientId))
      return unknownClient('The Authorization header is not that of a client.');
    return { ...basic, isBasic: true };
  }
  if (id === undefined || secret === undefined) return unknownClient('client_id and client_secret are missing.');
  return { clientId: id, clientSecret: secret, isBasic: false };
}

/** A parameter without a value counts as left out (RFC 6749, section 3.2). */
const parameterOf = (form: URLSearchParams, name: string): string | undefined => form.get(name) || undefined;

/** Descriptions are printable ASCII without quotes (RFC 6749, section 5.2). */
const nameable = (parameter: string) => (/^\w{1,50}$/.test(parameter) ? `The parameter ${parameter}` : 'A parameter');

function basicIn(authorization: string) {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { clientId: formDecoded(id), clientSecret: formDecoded(secret) };
  } catch {
    return undefined;
  }
}

/** RFC 6749, appendix B. */
const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

const invalid = (description: string): OAuthError => ({ status: 400, error: 'invalid_request', description });
export const unknownClient = (description: string): OAuthError => ({
  status: 401,
  error: 'invalid_client',
  description,
});
/** The error for valid credentials of a suspended account. */
export const suspendedClient = (): OAuthError => ({
  status: 403,
  error: 'unauthorized_client',
  description: SUSPENDED,
});
