import type { Context } from 'aws-lambda';
import type { StatusOf } from '#shared/auth/account-status';
import { crossOriginHeaders } from '#shared/http/cross-origin';
import {
  callerHandler,
  type HttpEvent,
  type HttpHandler,
  type HttpResult,
  type Surface,
} from '#shared/http/http-handler';
import type { Claim } from '#shared/idempotency/answer';
import { answerName, fingerprint, keyIn, textFingerprint } from '#shared/idempotency/idempotency-key';
import type { Account } from '../billing/balances/account.ts';
import { newAccount } from '../billing/balances/account-changes.ts';
import type { Caller } from '../billing/metering/admission.ts';
import { newSubscription, onPlan } from '../billing/subscriptions/subscription.ts';
import type { Authenticate } from './authenticate.ts';
import { DATA_VERSION } from './data-version.ts';
import { answerTo, type Deadline, type ItemRoute, isCountable, requestIn } from './items.ts';
import { loggedRefusal } from './logged-refusal.ts';
import { type CountableAnswer, type MeteredParts, type Settlement, serveMetered } from './metered-call.ts';
import { Problem, presentProblem } from './problem.ts';
import { rateHeaders, type Standing } from './rate-and-quota-headers.ts';
import { readJson } from './read-json.ts';
import { rateLimited, revoked } from './refusals.ts';
import { BODY_BYTES_MAX, bodyOf, problemBefore } from './request-checks.ts';

export interface RouteParts extends MeteredParts {
  readonly authenticate: Authenticate;
  readonly statusOf: StatusOf;
  /** Microseconds, which never go back. */
  readonly micros: () => number;
  /** Milliseconds. */
  readonly clock: () => number;
  /** The deadline of a request, if its function has the time. @default 5 seconds */
  readonly deadlineMillis?: number;
}

const DEADLINE_MILLIS = 5_000;
/** The part of the function's time that is reserved for the settlement. */
const SETTLEMENT_MILLIS = 300;

/** A metered route: every answer to an authenticated caller has rate and quota headers. */
export const meteredRoute = <Item, Result>(parts: RouteParts, route: ItemRoute<Item, Result>): HttpHandler =>
  callerHandler(
    surfaceOf(parts),
    async (event, { caller }, context) => {
      const now = parts.clock();
      const { requestId } = event.requestContext;
      const problem = problemBefore(event) ?? keyProblem(event);
      const settled = problem
        ? await refuseBefore(parts, caller, problem)
        : await serve(parts, route, { event, context, caller, now });
      const { item, quota, retryAfterSeconds } = settled;
      const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      return withStanding(parts, resultOf(settled, requestId), { mode: caller.mode, item, quota, ...retry });
    },
    { isHot: true, bodyBytesMax: BODY_BYTES_MAX },
  );

/** The interface `/v1`: its callers, its errors, and the scripts that may read its answers. */
export const surfaceOf = ({ authenticate, statusOf, clock }: RouteParts): Surface<Caller> => ({
  identify: ({ headers }) => authenticate(headers['authorization'], clock()),
  present: presentProblem,
  headersFor: (event, identified) =>
    identified ? crossOriginHeaders(event, () => statusOf(identified.caller.tenant, identified.now)) : {},
});

interface RouteRequest {
  readonly event: HttpEvent;
  readonly context: Context;
  readonly caller: Caller;
  readonly now: number;
}

function serve<Item, Result>(
  parts: RouteParts,
  route: ItemRoute<Item, Result>,
  { event, context, caller, now }: RouteRequest,
): Promise<Settlement> {
  const { requestId } = event.requestContext;
  const text = bodyOf(event);
  const body = readOnce(text);
  const until = parts.clock() + context.getRemainingTimeInMillis();
  const claim = claimOf(event, { caller, print: () => printOf(body, text), until });
  return serveMetered(parts, { caller, requestId, now, claim }, () =>
    workOutcome(async () => answerTo(route, requestIn(route, body()), deadlineOf(parts, now)), {
      requestId,
      context,
      deadlineMillis: parts.deadlineMillis,
    }),
  );
}

/** Takes a token, and no conversion, for a request that is wrong before its content is read. */
async function refuseBefore({ metering }: MeteredParts, caller: Caller, problem: Problem): Promise<Settlement> {
  const quota = { taken: 0, cost: 0 } as const;
  const metered = await metering.admit({ caller, counts: false });
  switch (metered.kind) {
    case 'unknown-credential':
      return { answer: revoked(), item: undefined, quota };
    case 'rate-limited':
    case 'rate-limited-locally':
      return { ...metered, answer: rateLimited(metered.retryAfterSeconds), quota };
    default:
      return { answer: problem, item: metered.item, quota };
  }
}

interface Working extends Pick<RouteParts, 'deadlineMillis'> {
  readonly requestId: string;
  readonly context: Context;
}

/** Runs the work within its time. A content error is an answer that counts; a fault is not. */
async function workOutcome(
  work: () => Promise<object>,
  { requestId, context, deadlineMillis = DEADLINE_MILLIS }: Working,
): Promise<CountableAnswer> {
  const millis = Math.min(deadlineMillis, context.getRemainingTimeInMillis() - SETTLEMENT_MILLIS);
  try {
    const body = JSON.stringify(await within(millis, work));
    return { answer: { status: 200, contentType: 'application/json', body }, isCounted: true };
  } catch (error) {
    const problem = loggedRefusal(error);
    const { statusCode = 500, body = '', headers } = presentProblem(problem, requestId);
    const contentType = String(headers?.['content-type']);
    return { answer: { status: statusCode, contentType, body }, isCounted: isCountable(problem) };
  }
}

/** The work continues after the timeout without an answer; the end of the function stops it. */
async function within<T>(millis: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLong(millis)), Math.max(0, millis));
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const deadlineOf = ({ clock, deadlineMillis = DEADLINE_MILLIS }: RouteParts, now: number): Deadline => ({
  now,
  check: () => {
    if (clock() - now > deadlineMillis) throw tooLong(deadlineMillis);
  },
});

const tooLong = (millis: number) =>
  new Problem(503, 'deadline', `The request took more than ${millis / 1_000} s. It is not counted; send fewer items.`);

function keyProblem({ headers }: HttpEvent): Problem | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined || keyIn(header) !== undefined) return undefined;
  return new Problem(
    400,
    'invalid-request',
    'Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in double quotes.',
  );
}

interface Claiming {
  readonly caller: Caller;
  /** The fingerprint of the body. */
  readonly print: () => string;
  readonly until: number;
}

function claimOf({ headers, requestContext }: HttpEvent, { caller, print, until }: Claiming): Claim | undefined {
  const key = headers['idempotency-key'] === undefined ? undefined : keyIn(headers['idempotency-key']);
  if (key === undefined) return undefined;
  const { method, path } = requestContext.http;
  const name = answerName({ tenant: caller.tenant, caller: caller.mode, method, path }, key);
  return { name, fingerprint: print(), owner: requestContext.requestId, until };
}

/** The body, parsed on first use: a request that is refused before costs no parsing. */
function readOnce(text: string): () => unknown {
  let read: { readonly body: unknown } | undefined;
  return () => (read ??= { body: readJson(text) }).body;
}

/** A refused body has a fingerprint too: its refusal counts, and is replayed. */
function printOf(body: () => unknown, text: string): string {
  try {
    return fingerprint(body());
  } catch {
    return textFingerprint(text);
  }
}

/** The input of the headers of an answer. */
interface HeaderFacts extends Omit<Standing, 'item' | 'now'> {
  readonly item: Account | undefined;
}

/** Adds the rate and quota headers to the answer; none for a credential that is not in force. */
export function withStanding(
  { micros }: Pick<RouteParts, 'micros'>,
  result: HttpResult,
  told: HeaderFacts,
): HttpResult {
  if (result.statusCode === 401) return result;
  const standing = { ...told, item: told.item ?? UNSEEN, now: micros() };
  return { ...result, headers: { ...result.headers, ...rateHeaders(standing), 'x-data-version': DATA_VERSION } };
}

function resultOf({ answer, isReplay = false }: Settlement, requestId: string): HttpResult {
  if (answer instanceof Problem) return presentProblem(answer, requestId);
  const headers = { 'content-type': answer.contentType, ...(isReplay && { 'idempotent-replayed': 'true' }) };
  return { statusCode: answer.status, headers, body: answer.body };
}

/** A placeholder for an account that this function has not seen yet, while the table does not answer. */
const UNSEEN = newAccount(onPlan(newSubscription('USD', 0), 'scale', 0));
