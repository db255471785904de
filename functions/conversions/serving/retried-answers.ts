import type { Answers } from '#shared/idempotency/answer';
import { whenFree } from '../billing/metering/rejected-call.ts';

/**
 * Tries calls again that DynamoDB rejected without carrying them out. A request whose claim fails is served without
 * idempotency, so one throttled call would let two requests with one key count twice.
 */
export const retriedAnswers = (answers: Answers): Answers => ({
  claim: (claim, now) => whenFree(() => answers.claim(claim, now)),
  complete: (claim, answer) => whenFree(() => answers.complete(claim, answer)),
  release: (claim) => whenFree(() => answers.release(claim)),
});
