import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import { type MeterWrite, refusalReason } from '../../../../functions/conversions/billing/metering/admission.ts';
import { account, callerOf, NOW } from '../../../support/conversions/meter-accounts.ts';

const ITEM = account('growth', { hardLimit: 3, testQuota: 3 });
const FULL = NOW + 99 * ITEM.tokenMicros;
const ATTEMPT: MeterWrite = { caller: callerOf('acme'), counts: true, version: ITEM.version, now: NOW };
const kindOf = (item: Partial<Account>, attempt: Partial<MeterWrite> = {}) =>
  refusalReason({ ...ATTEMPT, ...attempt }, { ...ITEM, ...item }).kind;
const used = (count: number) => ({ [`q_${ITEM.periodId}`]: count });

describe('the reason of a refused write', () => {
  it('is an unknown credential, before anything else, if there is no account or no such key in force', () => {
    expect(refusalReason(ATTEMPT, undefined).kind).toBe('unknown-credential');
    expect(kindOf({ credentials: {}, version: 9, validUntil: 0, arrival: FULL + 1 })).toBe('unknown-credential');
    expect(kindOf({ credentials: { live1: { mode: 'live', state: 'revoked', hash: 'hash-live1' } } })).toBe(
      'unknown-credential',
    );
    expect(kindOf({ credentials: { live1: { mode: 'live', state: 'active', hash: 'another' } } })).toBe(
      'unknown-credential',
    );
    const named = (credentialId: string) => ({ caller: { ...ATTEMPT.caller, credentialId } });
    expect(kindOf({}, named('constructor'))).toBe('unknown-credential');
    expect(kindOf({ credentials: {} }, named('xoutside'))).toBe('bucket-state-changed');
  });

  it('is other limits, newer or restored older ones, before what would follow from them', () => {
    for (const pv of [ITEM.version - 1, ITEM.version + 1])
      expect(kindOf({ version: pv, validUntil: 0, arrival: FULL + 1 })).toBe('changed-limits');
  });

  it('is the end of the period before rate and quota', () => {
    expect(kindOf({ validUntil: NOW, arrival: FULL + 1, ...used(3) })).toBe('ended-period');
    expect(kindOf({ validUntil: NOW + 1, ...used(3) })).toBe('quota');
  });

  it('is the rate before the quota, with the time at which it ends', () => {
    expect(kindOf({ arrival: FULL, ...used(3) })).toBe('quota');
    expect(refusalReason(ATTEMPT, { ...ITEM, arrival: FULL + 1, ...used(3) })).toEqual({
      kind: 'rate',
      opensAt: NOW + 1,
      retryAfterSeconds: 1,
    });
  });

  it('is the quota of its own mode, for calls that take a conversion', () => {
    expect(kindOf(used(2))).toBe('bucket-state-changed');
    expect(kindOf(used(4))).toBe('quota');
    expect(kindOf(used(3), { counts: false })).toBe('bucket-state-changed');
    expect(kindOf(used(3), { caller: callerOf('acme', 'test1') })).toBe('bucket-state-changed');
    expect(kindOf({ testUsed: 3 }, { caller: callerOf('acme', 'test1') })).toBe('quota');
  });
});
