import { Refusal, type RefusalOptions } from '#shared/errors';
import type { HttpResult } from '#shared/http/http-handler';
import { problemResult } from '#shared/http/problem';

/** All problem types of `/v1` (README, "Errors"). Each is stable: clients depend on it. */
export const PROBLEMS = {
  'malformed-json': 'The body is not JSON',
  'invalid-request': 'The request has mistakes',
  'unsupported-conversion': 'There is no such conversion',
  'unknown-unit': 'Unknown unit',
  'incompatible-units': 'The units measure different things',
  'unparseable-value': 'The value cannot be read',
  'ambiguous-value': 'The value has more than one meaning',
  'precision-out-of-range': 'The precision is out of range',
  'schema-invalid': 'The schema cannot be used',
  'all-items-failed': 'No item could be worked on',
  unauthorized: 'Authentication required',
  forbidden: 'Not allowed',
  'account-suspended': 'The account is suspended',
  'not-found': 'There is no such route',
  'method-not-allowed': 'The route has other methods',
  'not-acceptable': 'The answer is not available in this form',
  'idempotency-in-progress': 'The first request with this key is under way',
  'idempotency-key-reused': 'The key belongs to another request',
  'payload-too-large': 'The body is too large',
  'unsupported-media-type': 'The body must be JSON',
  'rate-limited': 'Too many requests',
  'quota-exceeded': 'Conversion quota exceeded',
  internal: 'An unexpected error occurred',
  unavailable: 'The service is not available',
  deadline: 'The request took too long',
} as const satisfies Readonly<Record<string, string>>;
export type ProblemType = keyof typeof PROBLEMS;

/** A refusal of `/v1`, with further members of the problem, and headers. */
export class Problem extends Refusal {
  declare readonly code: ProblemType;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, code: ProblemType, detail: string, { members = {}, ...options }: ProblemOptions = {}) {
    super(status, code, detail, options);
    this.members = members;
  }
}

interface ProblemOptions extends RefusalOptions {
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Presents problem details (RFC 9457): `type` and `code` are stable, `detail` gives advice. */
export function presentProblem(refusal: Refusal, requestId: string): HttpResult {
  const { status, detail, headers } = refusal;
  const code = refusal.code === 'internal-error' ? 'internal' : refusal.code;
  const { members = {} } = refusal instanceof Problem ? refusal : {};
  const title = PROBLEMS[code as ProblemType] ?? PROBLEMS.internal;
  return problemResult({ status, code, title, detail, requestId, headers, members });
}
