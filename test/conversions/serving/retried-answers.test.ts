import { describe, expect, it } from 'vitest';
import { retriedAnswers } from '../../../functions/conversions/serving/retried-answers.ts';
import type { Answers } from '../../../shared/idempotency/answer.ts';

const THROTTLE = Object.assign(new Error('throttled'), { name: 'ProvisionedThroughputExceededException' });
const CLAIM = { name: 'a', fingerprint: 'f', owner: 'o', until: 1 };

/** A store that is throttled so many times before each call. */
function throttledStore(throttles: number) {
  const calls: string[] = [];
  const left = new Map<string, number>();
  const called = async <T>(name: string, value: T): Promise<T> => {
    calls.push(name);
    const remaining = left.get(name) ?? throttles;
    left.set(name, remaining - 1);
    if (remaining > 0) throw THROTTLE;
    return value;
  };
  const answers: Answers = {
    claim: () => called('claim', { kind: 'first' }),
    complete: () => called('complete', undefined),
    release: () => called('release', undefined),
  };
  return { calls, answers: retriedAnswers(answers) };
}

describe('the answers of repeated requests', () => {
  it('are claimed, stored and released though the table is throttled three times', async () => {
    const { calls, answers } = throttledStore(3);
    expect(await answers.claim(CLAIM, 0)).toEqual({ kind: 'first' });
    await answers.complete(CLAIM, { status: 200, contentType: 'application/json', body: '{}' });
    await answers.release(CLAIM);
    expect(calls).toEqual(['claim', 'complete', 'release'].flatMap((name) => Array.from({ length: 4 }, () => name)));
  });

  it('fail if the table stays throttled', async () => {
    const { answers } = throttledStore(4);
    await expect(answers.claim(CLAIM, 0)).rejects.toBe(THROTTLE);
  });
});
