import { Refusal } from '#shared/errors';
import { log } from '#shared/log';

/** What is thrown while a proven caller waits, as a refusal: its answer still says how it stands with its limits. */
export function loggedRefusal(error: unknown): Refusal {
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, 'internal', 'An unexpected error occurred.', { cause: error });
  if (refusal.status >= 500) log.error('request failed', { error: refusal.cause ?? refusal, code: refusal.code });
  return refusal;
}
