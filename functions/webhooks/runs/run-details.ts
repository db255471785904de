import { noSuch } from '#shared/errors';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import type { PageQuery } from '#shared/http/page';
import type { Configuration } from '../configurations/configuration.ts';
import { maskedAuthHeader, maskedHeaders } from '../sending/request-headers.ts';
import { maskedSignatureHeaders } from '../sending/signature.ts';
import { type Attempt, presentAttempt, presentBody } from './attempt.ts';
import { presentRun, type RunKey } from './run.ts';
import type { RunDetails, RunLog } from './run-log.ts';

/** Reads a run with its payload and attempts, or refuses. */
export async function runDetails(log: Pick<RunLog, 'details'>, key: RunKey): Promise<RunDetails> {
  const details = await log.details(key);
  if (!details) noSuch('run');
  return details;
}

/**
 * A run as responses show it, with payload and attempts. The headers are those of the last attempt; before the first
 * attempt, those that it would send now, without the signature. Secrets are masked.
 */
export function presentRunDetails({ run, payload, attempts }: RunDetails, configuration: Configuration | undefined) {
  const { idempotencyKey } = run;
  const answered = attempts.findLast(({ body }) => body !== undefined);
  const lastPost = attempts.findLast(({ outcome }) => outcome !== 'interrupted');
  const signature = lastPost
    ? maskedSignatureHeaders({ idempotencyKey, at: lastPost.startedAt }, lastPost.signatures ?? 0)
    : [];
  const authHeader = lastPost ? lastPost.authHeader : configuration && maskedAuthHeader(configuration.authentication);
  return {
    ...presentRun(run),
    replayedBy: run.replayedBy ?? [],
    targetUrl: run.targetUrl,
    payload: payload ? new TextDecoder().decode(payload.body) : null,
    headers: maskedHeaders({ idempotencyKey, custom: payload?.headers ?? [], authHeader, signature }),
    ...presentBody(answered?.body),
    attemptLog: attempts.map(presentAttempt),
  };
}

/** A page of the attempts, newest first. All are read at once, since there are at most 20, in three parts each. */
export function attemptsPage({ run, attempts }: RunDetails, { limit, cursor }: PageQuery) {
  const list = `ATTEMPTS#${run.tenant}#${run.id}`;
  const before = decodeCursor(list, cursor, ['before'])?.['before'];
  const placeOf = ({ attempt, part }: Attempt) => `${attempt}.${part}`;
  const newest = attempts.toReversed();
  const rest = newest.slice(newest.findIndex((one) => placeOf(one) === before) + 1);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = last && rest.length > limit ? encodeCursor(list, { before: placeOf(last) }) : undefined;
  return { items: page.map(presentAttempt), ...(nextCursor && { nextCursor }) };
}
