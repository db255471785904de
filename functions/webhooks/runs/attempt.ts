import { isoTime } from '#shared/formats/timestamp';
import type { Header, ReceivedBody, SendFailure, SendResult, Timings } from '../sending/sending.ts';
import { type LeasedRun } from './run.ts';
import type { AttemptEnd, Interrupted } from './run-machine.ts';

/** A line of the delivery log: one POST, or an interrupted one that may not have been sent. */
export interface Attempt {
  /** The number of the attempt, from 1: the field `attempt` of the interface. */
  readonly attempt: number;
  /** The number of earlier interruptions of the attempt, each of which lost a worker. */
  readonly part: number;
  /** The URL that the attempt called. */
  readonly targetUrl: string;
  readonly startedAt: number;
  /** Undefined for an interrupted attempt. */
  readonly endedAt?: number;
  readonly outcome: 'succeeded' | 'http_status' | 'interrupted' | SendFailure;
  readonly statusCode?: number;
  readonly body?: ReceivedBody;
  readonly timings?: Timings;
  readonly traceId?: string;
  /** The header that authenticated the request, without the secret. */
  readonly authHeader?: Header;
  /** The number of secrets that signed the request. */
  readonly signatures?: number;
  /** True if the lease had ended before the response was recorded, so that it did not count. */
  readonly isLate?: boolean;
}

export function attemptOf(
  run: Pick<LeasedRun, 'attempts' | 'interruptions' | 'targetUrl'>,
  result: SendResult,
  at: Pick<Attempt, 'startedAt' | 'traceId' | 'authHeader' | 'signatures'> & { readonly endedAt: number },
): Attempt {
  const { statusCode, body } = result;
  return {
    attempt: run.attempts,
    part: run.interruptions,
    targetUrl: run.targetUrl,
    startedAt: at.startedAt,
    endedAt: at.endedAt,
    outcome: outcomeOf(result),
    ...(statusCode !== undefined && { statusCode }),
    ...(body && { body }),
    timings: result.timings,
    ...(at.traceId !== undefined && { traceId: at.traceId }),
    ...(at.authHeader && { authHeader: at.authHeader }),
    ...(at.signatures && { signatures: at.signatures }),
  };
}

/** Only an answer with a status 2xx is a success. Every other result is a failure, and `retry.ts` retries it. */
function outcomeOf(result: SendResult): Attempt['outcome'] {
  if (result.kind === 'not-answered') return result.failure;
  return result.statusCode >= 200 && result.statusCode < 300 ? 'succeeded' : 'http_status';
}

/** Returns how the attempt ended, as the state machine of runs needs it. */
export function attemptEnd({ outcome, statusCode }: Attempt): AttemptEnd {
  const succeeded = outcome === 'succeeded';
  return {
    succeeded,
    ...(statusCode !== undefined && { responseCode: statusCode }),
    ...(!succeeded && { error: outcome }),
  };
}

/** Returns the log line of a part whose worker was lost. */
export const interruptedAttempt = (
  { targetUrl }: Pick<LeasedRun, 'targetUrl'>,
  { attempt, part }: Interrupted,
  startedAt: number,
): Attempt => ({
  attempt,
  part,
  targetUrl,
  startedAt,
  outcome: 'interrupted',
});

/** The attempt as the delivery log shows it. A body that is not UTF-8 text is shown in base64. */
export const presentAttempt = ({ timings, body, ...attempt }: Attempt) => ({
  attempt: attempt.attempt,
  part: attempt.part,
  targetUrl: attempt.targetUrl,
  startedAt: isoTime(attempt.startedAt),
  outcome: attempt.outcome,
  responseCode: attempt.statusCode ?? null,
  ...presentBody(body),
  late: attempt.isLate ?? false,
  timings: timings ?? null,
  traceId: attempt.traceId ?? null,
});

export function presentBody(body: ReceivedBody | undefined) {
  if (!body) return { responseBody: null, responseBodyEncoding: null, responseBodyTruncated: false };
  const { bytes, isTruncated } = body;
  const text = utf8Of(bytes, isTruncated);
  return {
    responseBody: text ?? Buffer.from(bytes).toString('base64'),
    responseBodyEncoding: text === undefined ? ('base64' as const) : ('utf8' as const),
    responseBodyTruncated: isTruncated,
  };
}

/**
 * Decodes UTF-8; undefined for other bytes. Up to three bytes are dropped from a truncated body, because the cut may
 * have split a character.
 */
function utf8Of(bytes: Uint8Array, isTruncated: boolean): string | undefined {
  for (let cut = 0; cut <= (isTruncated ? 3 : 0); cut += 1) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      // Tried again without the last byte.
    }
  }
  return undefined;
}
