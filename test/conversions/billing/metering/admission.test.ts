import { describe, expect, it } from 'vitest';
import type { MeterItem } from '../../../../functions/conversions/billing/balances/account.ts';
import { type Attempted, obstacleTo } from '../../../../functions/conversions/billing/metering/admission.ts';
import { account, callerOf, NOW } from '../../../support/meter-accounts.ts';

const ITEM = account('growth', { lim: 3, tq: 3 });
const FULL = NOW + 99 * ITEM.T;
const ATTEMPT: Attempted = { caller: callerOf('acme'), counts: true, version: ITEM.pv, now: NOW };
const kindOf = (item: Partial<MeterItem>, attempt: Partial<Attempted> = {}) =>
  obstacleTo({ ...ATTEMPT, ...attempt }, { ...ITEM, ...item }).kind;
const used = (count: number) => ({ [`q_${ITEM.per}`]: count });

describe('what a refused write met', () => {
  it('is an unknown credential, before anything else, if there is no account or no such key in force', () => {
    expect(obstacleTo(ATTEMPT, undefined).kind).toBe('unknown-credential');
    expect(kindOf({ ks: {}, pv: 9, vu: 0, tat: FULL + 1 })).toBe('unknown-credential');
    expect(kindOf({ ks: { live1: { m: 'L', s: 'R', h: 'hash-live1' } } })).toBe('unknown-credential');
    expect(kindOf({ ks: { live1: { m: 'L', s: 'A', h: 'another' } } })).toBe('unknown-credential');
    const named = (credentialId: string) => ({ caller: { ...ATTEMPT.caller, credentialId } });
    expect(kindOf({}, named('constructor'))).toBe('unknown-credential');
    expect(kindOf({ ks: {} }, named('xoutside'))).toBe('wrong-branch');
  });

  it('is other limits, newer or restored older ones, before what would follow from them', () => {
    for (const pv of [ITEM.pv - 1, ITEM.pv + 1]) expect(kindOf({ pv, vu: 0, tat: FULL + 1 })).toBe('changed-limits');
  });

  it('is the end of the period before rate and quota', () => {
    expect(kindOf({ vu: NOW, tat: FULL + 1, ...used(3) })).toBe('ended-period');
    expect(kindOf({ vu: NOW + 1, ...used(3) })).toBe('quota');
  });

  it('is the rate before the quota, with the time at which it ends', () => {
    expect(kindOf({ tat: FULL, ...used(3) })).toBe('quota');
    expect(obstacleTo(ATTEMPT, { ...ITEM, tat: FULL + 1, ...used(3) })).toEqual({
      kind: 'rate',
      opensAt: NOW + 1,
      retryAfterSeconds: 1,
    });
  });

  it('is the quota of its own mode, for calls that take a conversion', () => {
    expect(kindOf(used(2))).toBe('wrong-branch');
    expect(kindOf(used(4))).toBe('quota');
    expect(kindOf(used(3), { counts: false })).toBe('wrong-branch');
    expect(kindOf(used(3), { caller: callerOf('acme', 'test1') })).toBe('wrong-branch');
    expect(kindOf({ tu: 3 }, { caller: callerOf('acme', 'test1') })).toBe('quota');
  });
});
