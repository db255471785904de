import type { Refusal } from '#shared/errors';
import { type HttpResult, json } from '#shared/http/http-handler';
import { TOKEN_SECONDS } from '../billing/credentials/access-token.ts';
import type { OAuthError } from './client-credentials.ts';

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** RFC 6749, section 5.1. */
export const granted = (accessToken: string): HttpResult =>
  json(200, { access_token: accessToken, token_type: 'Bearer', expires_in: TOKEN_SECONDS }, NO_STORE);

/** An error of RFC 6749, section 5.2. @param isBasic the client used HTTP Basic, which a 401 then names */
export const refused = ({ status, error, description }: OAuthError, isBasic = false): HttpResult =>
  json(
    status,
    { error, error_description: description },
    { ...NO_STORE, ...(isBasic && status === 401 && { 'www-authenticate': 'Basic realm="conversions"' }) },
  );

export const limited = (): HttpResult =>
  refused({ status: 429, error: 'temporarily_unavailable', description: 'Too many requests.' });

/** Presents errors that occur before a client is identified, in the shape of RFC 6749. */
export function presented({ status, detail, headers }: Refusal): HttpResult {
  const error = status < 500 ? 'invalid_request' : status === 503 ? 'temporarily_unavailable' : 'server_error';
  const result = refused({ status, error, description: detail.replaceAll('"', "'") });
  return { ...result, headers: { ...result.headers, ...headers } };
}
