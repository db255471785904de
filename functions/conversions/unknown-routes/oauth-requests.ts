import { Refusal } from '#shared/errors';
import { type HttpEvent, type HttpResult, json } from '#shared/http/http-handler';

const PATH = '/oauth/token';
const METHOD = 'POST';

/**
 * Answers a request below /oauth that does not request a token. A trailing slash redirects to the same route, with
 * method and body.
 */
export function redirectOrRefuse({ rawPath, rawQueryString, requestContext }: HttpEvent): HttpResult {
  const path = rawPath.replace(/\/$/, '');
  if (path !== PATH) throw new Refusal(404, 'not-found', `There is no such route. The route is ${METHOD} ${PATH}.`);
  if (path !== rawPath) {
    return json(308, {}, { location: rawQueryString === '' ? path : `${path}?${rawQueryString}` });
  }
  const detail = `${requestContext.http.method} is not allowed here; ${PATH} takes ${METHOD}.`;
  throw new Refusal(405, 'method-not-allowed', detail, { headers: { allow: METHOD } });
}
