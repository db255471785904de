import { describe, expect, it } from 'vitest';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import {
  newSubscription,
  onPlan,
  type Subscription,
} from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { PROBLEMS, Problem, type ProblemType, presentProblem } from '../../../functions/conversions/serving/problem.ts';
import { quotaExceeded, rateLimited, revoked, unauthorized } from '../../../functions/conversions/serving/refusals.ts';
import { Refusal } from '../../../shared/errors.ts';

const MILLIS = Date.UTC(2026, 10, 15, 12);
const RESET = '2026-12-15T12:00:00.000Z';
const free = newSubscription('USD', MILLIS);
const starter = (capMicros?: number) =>
  onPlan({ ...free, ...(capMicros !== undefined && { capMicros }) }, 'starter', MILLIS);

function responseOf(problem: Refusal) {
  const { statusCode, headers, body = '' } = presentProblem(problem, 'r-1');
  return { statusCode, headers, ...JSON.parse(body) };
}
const exceeded = (subscription: Subscription, mode: 'live' | 'test', own: object) =>
  responseOf(quotaExceeded({ ...newAccount(subscription), ...own }, mode));

describe('a quota that is used up', () => {
  it.each([
    ['live-monthly', free, 'live', { q_m202611: 1_000 }, 1_000, '2026-12-01T00:00:00.000Z'],
    ['spend-cap', starter(25_000_000), 'live', { q_p20261115: 16_250 }, 16_250, RESET],
    ['hard-stop', starter(0), 'live', { q_p20261115: 10_000 }, 10_000, RESET],
    ['test-pool', starter(), 'test', { testUsed: 250 }, 250, null],
    ['test-pool', free, 'test', { testUsed: 250 }, 250, null],
    [
      'live-monthly',
      { ...starter(0), state: 'scale_blocked', period: { ...free.period, id: 'b202611' } },
      'live',
      { q_b202611: 1_000 },
      1_000,
      '2026-12-01T00:00:00.000Z',
    ],
  ] as const)(
    'is named %s, with its size and when there is more',
    (quota, subscription, mode, own, limit, resetsAt) => {
      const problem = exceeded(subscription, mode, own);
      expect(problem).toMatchObject({
        statusCode: 429,
        status: 429,
        type: '/docs/problems/quota-exceeded',
        quota,
        limit,
      });
      expect(problem).toMatchObject({ used: limit, resetsAt, 'violated-policies': ['quota'] });
      expect(problem.detail).toContain(String(limit));
      if (resetsAt) expect(problem.detail).toContain(resetsAt);
      else expect(problem.detail).toContain('live key');
      expect(problem.headers).not.toHaveProperty('retry-after');
    },
  );
});

describe('a problem', () => {
  it('has its type, title, status, detail and the request, as RFC 9457 names them', () => {
    const cause = new Error('secret');
    const { headers, ...body } = responseOf(
      new Problem(400, 'malformed-json', 'Send JSON.', { cause, members: { x: 1 } }),
    );
    expect(body).toEqual({
      statusCode: 400,
      type: '/docs/problems/malformed-json',
      title: PROBLEMS['malformed-json'],
      status: 400,
      detail: 'Send JSON.',
      instance: 'urn:request:r-1',
      code: 'malformed-json',
      x: 1,
    });
    expect(headers).toEqual({ 'content-type': 'application/problem+json' });
  });

  it('hides what a fault of ours was', () => {
    const problem = responseOf(
      new Refusal(500, 'internal-error', 'An unexpected error occurred.', { cause: new Error('s') }),
    );
    expect(problem).toMatchObject({ code: 'internal', title: PROBLEMS.internal, type: '/docs/problems/internal' });
  });

  it('has a title of its own for every type', () => {
    const titles = (Object.keys(PROBLEMS) as ProblemType[]).map(
      (type) => responseOf(new Problem(400, type, 'x')).title,
    );
    expect(new Set(titles).size).toBe(titles.length);
  });
});

it('a 401 says why it was refused and how to authenticate', () => {
  for (const problem of [unauthorized('Why.'), revoked()]) {
    expect(responseOf(problem)).toMatchObject({
      statusCode: 401,
      code: 'unauthorized',
      headers: { 'www-authenticate': 'Bearer realm="conversions"' },
      detail: expect.stringContaining('Authorization: Bearer'),
    });
  }
});

it('a limited rate names the policy', () => {
  expect(responseOf(rateLimited(2))).toMatchObject({
    statusCode: 429,
    code: 'rate-limited',
    'violated-policies': ['burst'],
  });
});
