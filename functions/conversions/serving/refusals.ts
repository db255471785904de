import { SUSPENDED } from '#shared/auth/account-status';
import { isoTime } from '#shared/formats/timestamp';
import { type Account, type Mode, quotaOf, subscriptionOf } from '../billing/balances/account.ts';
import { isPaid, UNLIMITED } from '../billing/subscriptions/subscription.ts';
import { Problem } from './problem.ts';

const HOW_TO_SEND =
  'Send a conversion key as "Authorization: Bearer cv_test_…". Keys are made with POST /manage/v1/accounts/{id}/keys, or with "npm run keys -- --tenant NAME".';

/** The 401, with advice. It is never counted and has no rate or quota headers. */
export const unauthorized = (why: string) =>
  new Problem(401, 'unauthorized', `${why} ${HOW_TO_SEND}`, {
    headers: { 'www-authenticate': 'Bearer realm="conversions"' },
  });

/** The 403 before anything is metered: it takes neither a token nor a conversion. */
export const suspended = () => new Problem(403, 'account-suspended', SUSPENDED);

/** The error for a verified credential that is not among those of its account. */
export const revoked = () => unauthorized('The key is revoked.');

export const rateLimited = (retryAfterSeconds: number) =>
  new Problem(
    429,
    'rate-limited',
    `The account's requests per second are used up. Wait ${retryAfterSeconds} s, and a little longer at random, then try again.`,
    { members: { 'violated-policies': ['burst'] } },
  );

/** The error of an exhausted quota: which quota, its size, and when it resets (README, "Errors"). */
export function quotaExceeded(item: Account, mode: Mode): Problem {
  const { hardLimit, used, included } = quotaOf(item, mode);
  const subscription = subscriptionOf(item);
  const resetsAt = mode === 'test' ? null : isoTime(item.periodEnd / 1_000);
  const name = nameOf({ mode, isPaid: isPaid(subscription), isCapped: hardLimit > included && hardLimit < UNLIMITED });
  return new Problem(429, 'quota-exceeded', DETAILS[name](hardLimit, resetsAt ?? ''), {
    members: { quota: name, limit: hardLimit, used, resetsAt, 'violated-policies': ['quota'] },
  });
}

type QuotaName = 'live-monthly' | 'spend-cap' | 'hard-stop' | 'test-pool';

function nameOf({ mode, isPaid, isCapped }: { mode: Mode; isPaid: boolean; isCapped: boolean }): QuotaName {
  if (mode === 'test') return 'test-pool';
  if (!isPaid) return 'live-monthly';
  return isCapped ? 'spend-cap' : 'hard-stop';
}

const DETAILS: Readonly<Record<QuotaName, (limit: number, resetsAt: string) => string>> = {
  'live-monthly': (limit, resetsAt) =>
    `The monthly live quota of ${limit} conversions is used up. It resets at ${resetsAt}; a larger plan applies at once.`,
  'spend-cap': (limit, resetsAt) =>
    `The spend cap allows ${limit} conversions in this period, and they are used up. It resets at ${resetsAt}; a higher cap applies at once.`,
  'hard-stop': (limit, resetsAt) =>
    `The ${limit} conversions that the plan includes are used up, and the account stops there. It resets at ${resetsAt}.`,
  'test-pool': (limit) =>
    `The pool of ${limit} test requests is used up, for good. Use a live key: test keys and test clients share this pool.`,
};
