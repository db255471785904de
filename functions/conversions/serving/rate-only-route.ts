import { callerHandler, type HttpEvent, type HttpHandler, type HttpResult } from '#shared/http/http-handler';
import type { Account } from '../billing/balances/account.ts';
import type { Caller } from '../billing/metering/admission.ts';
import { loggedRefusal } from './logged-refusal.ts';
import { type RouteParts, surfaceOf, withStanding } from './metered-route.ts';
import { presentProblem } from './problem.ts';
import { rateLimited, revoked } from './refusals.ts';

/** A call that took a token. */
export interface RateOnlyCall {
  readonly event: HttpEvent;
  readonly caller: Caller;
  /** The account; absent while the table does not answer and this function has never seen the account. */
  readonly item: Account | undefined;
}

/** A route that takes a token and no conversion. Its errors have the rate headers too. */
export const rateOnlyRoute = (parts: RouteParts, answer: (call: RateOnlyCall) => HttpResult): HttpHandler =>
  callerHandler(surfaceOf(parts), async (event, { caller }) => {
    const { requestId } = event.requestContext;
    const metered = await parts.metering.admit({ caller, counts: false });
    if (metered.kind === 'unknown-credential') throw revoked();
    const { item } = metered;
    if (metered.kind === 'admitted') await parts.noteUse(caller);
    const limited = metered.kind === 'rate-limited' || metered.kind === 'rate-limited-locally';
    const result = limited
      ? presentProblem(rateLimited(metered.retryAfterSeconds), requestId)
      : answered(() => answer({ event, caller, item }), requestId);
    const retry = limited ? { retryAfterSeconds: metered.retryAfterSeconds } : {};
    return withStanding(parts, result, { mode: caller.mode, item, ...retry });
  });

function answered(answer: () => HttpResult, requestId: string): HttpResult {
  try {
    return answer();
  } catch (error) {
    return presentProblem(loggedRefusal(error), requestId);
  }
}
