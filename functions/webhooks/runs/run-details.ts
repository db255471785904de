import type { Configuration } from '../configurations/configuration.ts';
import { type Authentication, maskedHeaders, requestHeaders } from '../sending/request-headers.ts';
import { presentAttempt, presentBody } from './attempt.ts';
import { presentRun } from './run.ts';
import type { RunDetails } from './run-log.ts';

const HIDDEN = 'hidden';

/**
 * A run with everything that is kept of it. The headers are those of an attempt as it would be made now, since
 * authentication is not kept with the run; its secret is masked.
 */
export function presentRunDetails({ run, payload, attempts }: RunDetails, configuration: Configuration | undefined) {
  const answered = attempts.findLast(({ body }) => body !== undefined);
  const authentication: Authentication =
    !configuration || configuration.authentication.type === 'none'
      ? { type: 'none' }
      : { ...configuration.authentication, secret: HIDDEN };
  const headers = requestHeaders({
    idempotencyKey: run.idempotencyKey,
    custom: payload?.headers ?? [],
    authentication,
  });
  return {
    ...presentRun(run),
    targetUrl: run.targetUrl,
    payload: payload ? new TextDecoder().decode(payload.body) : null,
    headers: maskedHeaders(headers, authentication).map(([name, value]) => ({ name, value })),
    ...presentBody(answered?.body),
    attemptLog: attempts.map(presentAttempt),
  };
}
