import { describe, expect, it } from 'vitest';
import { whenFree } from '../../../../functions/conversions/billing/metering/rejected-call.ts';

const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
const THROTTLE = named('ProvisionedThroughputExceededException');
const CONFLICT = named('TransactionConflictException');
const FLOOD = named('ProvisionedThroughputExceededException', {
  ThrottlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
});

/** A call that fails with these errors, one after the other, and then succeeds. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  const calls = { made: 0 };
  const call = async () => {
    calls.made += 1;
    const error = left.shift();
    if (error) throw error;
    return 'done';
  };
  return { calls, call };
}

describe('a call that DynamoDB rejected', () => {
  it.each([
    { errors: [], made: 1 },
    { errors: [THROTTLE], made: 2 },
    { errors: [CONFLICT, THROTTLE, CONFLICT], made: 4 },
  ])('is tried again up to three times: $made calls', async ({ errors, made }) => {
    const { calls, call } = failing(...errors);
    expect([await whenFree(call), calls.made]).toEqual(['done', made]);
  });

  it.each([
    { why: 'it is rejected a fourth time', errors: [THROTTLE, THROTTLE, THROTTLE, THROTTLE], made: 4 },
    { why: 'the item itself gets too many requests', errors: [FLOOD], made: 1 },
    { why: 'nobody knows whether it was carried out', errors: [named('TimeoutError')], made: 1 },
    { why: 'permissions are missing', errors: [named('AccessDeniedException')], made: 1 },
  ])('fails if $why', async ({ errors, made }) => {
    const { calls, call } = failing(...errors);
    await expect(whenFree(call)).rejects.toBe(errors.at(-1));
    expect(calls.made).toBe(made);
  });

  it('is not tried again when the time is over', async () => {
    const { calls, call } = failing(THROTTLE);
    await expect(whenFree(call, AbortSignal.abort())).rejects.toBe(THROTTLE);
    expect(calls.made).toBe(1);
  });
});
