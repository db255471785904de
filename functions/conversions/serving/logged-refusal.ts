import { Refusal } from '#shared/errors';
import { log } from '#shared/telemetry/log';

/**
 * Converts an error into a refusal, so that the answer of an authenticated caller still has its rate and quota headers.
 */
export function loggedRefusal(error: unknown): Refusal {
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, 'internal', 'An unexpected error occurred.', { cause: error });
  if (refusal.status >= 500) log.error('request failed', { error: refusal.cause ?? refusal, code: refusal.code });
  return refusal;
}
