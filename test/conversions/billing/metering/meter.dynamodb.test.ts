import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import { readAccount, stepAccount } from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { credentialStore } from '../../../../functions/conversions/billing/credentials/credential-store.dynamodb.ts';
import type { Admission, Spend } from '../../../../functions/conversions/billing/metering/admission.ts';
import { changePlan } from '../../../../functions/conversions/billing/subscriptions/change-plan.ts';
import type { Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import {
  account,
  NOW,
  patientTable,
  SECOND,
  spendOf,
  stored,
  usedLive,
} from '../../../support/conversions/meter-accounts.ts';
import {
  burst,
  countOf,
  functionsOn,
  type Guessing,
  StandingClock,
} from '../../../support/conversions/metering-functions.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await patientTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const CALLERS = 200;
/** Less than a token of any plan, so that clocks which differ add no token. */
const SKEWS = [0, 900, -700, 300, -1_000, 1_000];
const itemOf = async (tenant: string): Promise<Account> => (await readAccount(table, tenant))!;

/**
 * Takes what is left in the bucket. Where many wrong guesses meet, a request may give up before the bucket is empty: so
 * each function comes again by itself, with its own clock, until the bucket refuses it.
 */
async function restOf(tenant: string, clock: StandingClock): Promise<Admission[]> {
  const admissions: Admission[] = [];
  for (let taken = 1; taken > 0; ) {
    taken = 0;
    // Functions that were refused before remember it for a moment.
    for (const own of functionsOn(table, clock, SKEWS)) {
      for (let kind: Admission['kind'] = 'admitted'; kind === 'admitted'; ) {
        const admission = await own.admit(spendOf(tenant));
        ({ kind } = admission);
        admissions.push(admission);
        if (kind === 'admitted') taken += 1;
      }
    }
  }
  return admissions;
}

describe('200 callers at the same time, in six functions with clocks of their own', () => {
  async function tokensOf(plan: 'starter' | 'growth', calls: number, guessing: Guessing) {
    const clock = new StandingClock();
    const tenant = await stored(table, account(plan));
    const functions = functionsOn(table, clock, SKEWS, guessing);
    const admissions = await burst(functions, calls, () => spendOf(tenant));
    const admitted = countOf([...admissions, ...(await restOf(tenant, clock))], 'admitted');
    expect(usedLive(await itemOf(tenant))).toBe(admitted);
    return admitted;
  }

  it('get exactly the tokens of a bucket that was idle', async () => {
    expect(await tokensOf('growth', CALLERS, 'as-built')).toBe(100);
  });

  const guesses: Guessing[] = isThorough ? ['idle', 'busy', 'at-random'] : ['at-random'];
  for (const guessing of guesses) {
    it(`get exactly the tokens of a bucket that was idle, guessing ${guessing}`, async () => {
      expect(await tokensOf('starter', 90, guessing)).toBe(40);
    });
  }

  it('get exactly the tokens that have come back since', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('free'));
    for (const [wait, tokens] of [[0, 10] as const, [1.1 * SECOND, 5] as const, [9 * SECOND, 10] as const]) {
      clock.now += wait;
      const functions = functionsOn(table, clock, [0, 0, 0, 0, 0, 0]);
      expect(countOf(await burst(functions, isThorough ? 60 : 30, () => spendOf(tenant)), 'admitted')).toBe(tokens);
    }
  });

  it('get exactly the conversions that are left, with refunds in between', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('scale', { hardLimit: 60, burst: 10_000 }));
    const functions = functionsOn(table, clock, SKEWS);
    let refunds = 0;
    const admissions = await Promise.all(
      Array.from({ length: isThorough ? CALLERS : 120 }, async (_, call) => {
        const own = functions[call % functions.length]!;
        const admission = await own.admit(spendOf(tenant));
        if (admission.kind === 'admitted') expect(usedLive(admission.item)).toBeLessThanOrEqual(60);
        if (admission.kind === 'admitted' && call % 3 === 0 && (await own.refund(admission))) refunds += 1;
        return admission;
      }),
    );
    expect(refunds).toBeGreaterThan(0);
    expect(usedLive(await itemOf(tenant))).toBe(countOf(admissions, 'admitted') - refunds);
    clock.now += 2 * SECOND;
    await burst(functions, refunds + 40, () => spendOf(tenant));
    const after = await burst(functionsOn(table, clock, [0]), 1, () => spendOf(tenant));
    expect(after[0]?.kind).toBe('quota-exceeded');
    expect(usedLive(await itemOf(tenant))).toBe(60);
  });

  it('get 250 of the test pool over all test keys and OAuth clients, whatever happens to plan and period', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('growth', { burst: 10_000, testUsed: 150 }));
    const functions = functionsOn(table, clock, SKEWS);
    const ids = ['test1', 'test2', 'client1'] as const;
    const test = (call: number): Spend => spendOf(tenant, ids[call % ids.length]);
    const before = await burst(functions, 40, test);
    await stepAccount(table, tenant, (now) => changePlan(now, { plan: 'scale' }, clock.now / 1_000).subscription, {
      now: () => clock.now / 1_000,
    });
    clock.now += 40 * 86_400 * SECOND;
    const rounds = [before];
    for (let round = 0; round < 2; round += 1) {
      rounds.push(await burst(functions, isThorough ? 90 : 50, test));
      clock.now += 5 * SECOND;
    }
    expect(countOf(rounds.flat(), 'admitted')).toBe(100);
    expect(await itemOf(tenant)).toMatchObject({ testUsed: 250, testQuota: 250 });
    expect((await burst(functions, 1, () => spendOf(tenant, 'live1')))[0]?.kind).toBe('admitted');
  });
});

describe('the end of a period', () => {
  it('is applied once however many requests find it, and each counts in the period of its own time', async () => {
    const clock = new StandingClock();
    const item = account('free', { burst: 1_000 });
    const tenant = await stored(table, item);
    const functions = functionsOn(table, clock, SKEWS);
    const [early] = await burst(functions, 1, () => spendOf(tenant));
    await burst(functions, 6, () => spendOf(tenant));
    clock.now = item.periodEnd + 2_000;
    const admissions = await burst(functions, 60, () => spendOf(tenant));
    const now = await itemOf(tenant);
    expect(now).toMatchObject({ version: item.version + 1, periodId: 'm202612', periodStart: item.periodEnd });
    expect(countOf(admissions, 'admitted')).toBeGreaterThan(0);
    expect([usedLive(now, item.periodId), usedLive(now)]).toEqual([7, countOf(admissions, 'admitted')]);
    // A late refund reaches the period that it was taken from.
    await functions[1]!.refund(early!);
    const later = await itemOf(tenant);
    expect([usedLive(later, item.periodId), usedLive(later)]).toEqual([6, usedLive(now)]);
  });

  it('gives a full count again to an account that had used it up', async () => {
    const clock = new StandingClock();
    const item = account('free', { burst: 5_000 });
    const tenant = await stored(table, { ...item, [`q_${item.periodId}`]: 999 });
    const [own] = functionsOn(table, clock, [0]);
    const kinds = [];
    for (let call = 0; call < 2; call += 1) kinds.push((await own!.admit(spendOf(tenant))).kind);
    clock.now = item.periodEnd - 1;
    kinds.push((await own!.admit(spendOf(tenant))).kind);
    clock.now = item.periodEnd;
    kinds.push((await own!.admit(spendOf(tenant))).kind);
    expect(kinds).toEqual(['admitted', 'quota-exceeded', 'quota-exceeded', 'admitted']);
  });
});

describe('a change of plan', () => {
  const upgrade = (tenant: string, clock: StandingClock) =>
    stepAccount(table, tenant, (now) => changePlan(now, { plan: 'starter' }, clock.now / 1_000).subscription, {
      now: () => clock.now / 1_000,
    });

  it('in the middle of a burst adds the tokens by which the bucket is larger, once, less those it gives up', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('free'));
    const functions = functionsOn(table, clock, SKEWS);
    const [first, change] = await Promise.all([
      // More than both buckets hold.
      burst(functions, isThorough ? CALLERS : 60, () => spendOf(tenant)),
      upgrade(tenant, clock),
    ]);
    const admitted = countOf([...first, ...(await restOf(tenant, clock))], 'admitted');
    expect(await itemOf(tenant)).toMatchObject({ burst: 40, tokenMicros: 50_000 });
    expect(usedLive(await itemOf(tenant))).toBe(admitted);
    // Where requests came between reading and writing three times, the change allows for more of them than there were.
    const { from, to } = change?.arrivals ?? { from: Number.NaN, to: 0 };
    const givenUp = (to - Math.max(from, NOW)) / 200_000;
    expect(admitted).toBeLessThanOrEqual(40);
    expect(admitted).toBeGreaterThanOrEqual(Math.max(10, 40 - Math.max(0, givenUp)));
  });

  it('keeps the debt of the bucket in tokens', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('free'));
    await burst(functionsOn(table, clock, [0]), 10, () => spendOf(tenant));
    expect((await itemOf(tenant)).arrival).toBe(NOW + 10 * 200_000);
    await upgrade(tenant, clock);
    expect((await itemOf(tenant)).arrival).toBe(NOW + 10 * 50_000);
  });

  it('is known to a warm function at its next write, and lifts what it remembers of refusals', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('free'));
    const [own] = functionsOn(table, clock, [0]);
    for (let call = 0; call < 9; call += 1) await own!.admit(spendOf(tenant));
    await upgrade(tenant, clock);
    const admission = await own!.admit(spendOf(tenant));
    expect(admission).toMatchObject({ kind: 'admitted', item: { burst: 40 } });
  });
});

describe('a revoked key', () => {
  const add = async (tenant: string, id: string, isInline: boolean) => {
    const credential = { id, tenant, kind: 'key', mode: 'live', hash: `hash-${id}`, createdAt: '2026-11-10' } as const;
    expect(await credentialStore(table).add(credential, isInline)).toBe(true);
    const spend: Spend = { caller: { tenant, mode: 'live', credentialId: id, hash: credential.hash }, counts: true };
    return spend;
  };
  const revoke = (tenant: string, id: string, clock: StandingClock) =>
    credentialStore(table).revoke({ tenant, id, kind: 'key' }, clock.now / 1_000);

  it('of the item itself is refused at the very next call, and other keys go on', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('growth'));
    const [own] = functionsOn(table, clock, [0]);
    const spend = await add(tenant, `k${tenant}`, true);
    expect((await own!.admit(spend)).kind).toBe('admitted');
    await revoke(tenant, `k${tenant}`, clock);
    const before = await itemOf(tenant);
    expect((await own!.admit(spend)).kind).toBe('unknown-credential');
    expect(await itemOf(tenant)).toEqual(before);
    expect((await own!.admit(spendOf(tenant))).kind).toBe('admitted');
  });

  it('outside of the item is refused within thirty seconds by functions that know it, at once by others', async () => {
    const clock = new StandingClock();
    const tenant = await stored(table, account('growth'));
    const [warm] = functionsOn(table, clock, [0]);
    const spend = await add(tenant, `x${tenant}`, false);
    expect((await warm!.admit(spend)).kind).toBe('admitted');
    await revoke(tenant, `x${tenant}`, clock);
    const [cold] = functionsOn(table, clock, [0]);
    expect((await cold!.admit(spend)).kind).toBe('unknown-credential');
    clock.now += 30 * SECOND - 1_000;
    expect((await warm!.admit(spend)).kind).toBe('admitted');
    clock.now += 1_000;
    expect((await warm!.admit(spend)).kind).toBe('unknown-credential');
  });

  it('outside of the item does not open another account, another mode or with another hash', async () => {
    const clock = new StandingClock();
    const [tenant, other] = [await stored(table, account('growth')), await stored(table, account('growth'))];
    const { caller } = await add(tenant, `x${tenant}`, false);
    const [own] = functionsOn(table, clock, [0]);
    const kindOf = async (changed: object) =>
      (await own!.admit({ caller: { ...caller, ...changed }, counts: true })).kind;
    expect(await kindOf({})).toBe('admitted');
    expect(await kindOf({ tenant: other })).toBe('unknown-credential');
    expect(await kindOf({ mode: 'test' })).toBe('unknown-credential');
    expect(await kindOf({ hash: 'hash-of-another' })).toBe('unknown-credential');
    expect(await kindOf({ credentialId: 'xnobody' })).toBe('unknown-credential');
  });
});
