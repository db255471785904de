import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MeterItem } from '../../../../functions/conversions/billing/balances/account.ts';
import { accountItem } from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import type { Caller } from '../../../../functions/conversions/billing/metering/admission.ts';
import type { Taking } from '../../../../functions/conversions/billing/metering/meter.ts';
import { meterStore } from '../../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import type { Table } from '../../../../shared/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/local-endpoint.ts';
import { MemoryMeter } from '../../../support/memory-meter.ts';
import { account, callerOf, NOW, patientTable, put, stored } from '../../../support/meter-accounts.ts';
import { isThorough } from '../../../support/thoroughness.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await patientTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const SIGNAL = new AbortController().signal;
const store = () => meterStore(table, { advance: () => Promise.reject(new Error('not here')), now: () => NOW / 1_000 });

const BASE = account('growth', { lim: 3, tq: 4 });
const { T, B } = BASE;
const HIGHEST = NOW + (B - 1) * T;
const COUNTER = `q_${BASE.per}`;
const withKey = (key: object) => ({ ks: { ...BASE.ks, live1: { ...BASE.ks['live1'], ...key } as never } });

/** Items that differ in one respect from one that admits, on both sides of each border. */
const ITEMS: Readonly<Record<string, Partial<MeterItem>>> = {
  'with a bucket that was never used': {},
  'with a bucket that has just become full': { tat: NOW },
  'with a bucket in use since now': { tat: NOW + 1 },
  'with one token left': { tat: HIGHEST },
  'a microsecond short of a token': { tat: HIGHEST + 1 },
  'of an older version': { pv: BASE.pv - 1, tat: NOW },
  'of a newer version': { pv: BASE.pv + 1, tat: NOW },
  'of an older version, in use': { pv: BASE.pv - 1, tat: NOW + T },
  'of a newer version, in use': { pv: BASE.pv + 1, tat: NOW + T },
  'in the last microsecond of its limits': { vu: NOW + 1 },
  'in the last microsecond of its limits, in use': { vu: NOW + 1, tat: NOW + T },
  'whose limits have ended': { vu: NOW },
  'whose limits have ended, in use': { vu: NOW, tat: NOW + T },
  'with one conversion left': { [COUNTER]: 2, tu: 3 },
  'with one conversion left, in use': { [COUNTER]: 2, tu: 3, tat: NOW + T },
  'with no conversion left': { [COUNTER]: 3, tu: 4 },
  'with no conversion left, in use': { [COUNTER]: 3, tu: 4, tat: NOW + T },
  'with more used than is allowed': { [COUNTER]: 4, tu: 5 },
  'that allows nothing': { lim: 0, tq: 0 },
  'with counters of other periods': { q_m202610: 9, [COUNTER]: 1 },
  'with a pool that is used up': { tu: 4 },
  'with live conversions that are used up': { [COUNTER]: 3 },
  'with a revoked key': withKey({ s: 'R' }),
  'with another hash of the key': withKey({ h: 'hash-of-another' }),
  'without keys': { ks: {} },
};

const CALLERS: Readonly<Record<string, (tenant: string) => Caller>> = {
  'a live key': (tenant) => callerOf(tenant, 'live1'),
  'a test key': (tenant) => callerOf(tenant, 'test1'),
  'an OAuth client': (tenant) => callerOf(tenant, 'client1'),
  'a key outside of the item': (tenant) => ({ ...callerOf(tenant, 'live1'), credentialId: 'xabc' }),
};

/** Callers that differ in their key alone are told apart only by items that differ in theirs. */
const callersOf = (members: Partial<MeterItem>) => {
  const { 'a live key': live, 'a test key': test } = CALLERS;
  return isThorough || members.ks ? Object.values(CALLERS) : [live!, test!];
};

const takings = (caller: Caller): Taking[] =>
  (['idle', 'busy'] as const).flatMap((branch) =>
    [true, false].flatMap((counts) =>
      [NOW, NOW - T, NOW - T - 1].map((since) => ({ caller, branch, counts, since, now: NOW, item: BASE })),
    ),
  );

/** What a write of the table does beside that of the memory, each to an item of its own. */
async function decidedAlike(item: MeterItem, taking: Taking) {
  const { tenant } = taking.caller;
  const memory = new MemoryMeter();
  memory.items.set(tenant, item);
  await put(table, tenant, item);
  const [real, simulated] = [await store().take(taking, SIGNAL), await memory.take(taking)];
  expect(real).toMatchObject(simulated);
  const now = await accountItem(table, tenant);
  expect(now).toMatchObject(memory.items.get(tenant)!);
  // A refusal changes nothing, and an answer tells the item as it is.
  expect(real.item).toEqual(now);
  return real.done;
}

describe('the one write of the meter', () => {
  for (const [kind, members] of Object.entries(ITEMS)) {
    it(`admits by an item ${kind} what the rules admit, and changes nothing otherwise`, async () => {
      await Promise.all(
        callersOf(members).map(async (caller) => {
          const tenant = await stored(table, BASE);
          const all = takings(caller(tenant));
          // What does not count is decided by the bucket as what counts is.
          const some = isThorough ? all : all.filter(({ counts, since }) => counts || since === NOW);
          for (const taking of some) await decidedAlike({ ...BASE, ...members }, taking);
        }),
      );
    });
  }

  it('admits and refuses: neither is what all of these do', async () => {
    const tenant = await stored(table, BASE);
    const all = takings(callerOf(tenant));
    const [idle, busy] = (['idle', 'busy'] as const).map((branch) => all.find((one) => one.branch === branch));
    expect(await decidedAlike(BASE, idle!)).toBe(true);
    expect(await decidedAlike({ ...BASE, tat: HIGHEST }, busy!)).toBe(true);
    expect(await decidedAlike({ ...BASE, tat: HIGHEST }, idle!)).toBe(false);
    expect(await decidedAlike(BASE, busy!)).toBe(false);
    expect(await decidedAlike({ ...BASE, [COUNTER]: 3 }, idle!)).toBe(false);
  });

  it('finds no account, without making one', async () => {
    const [taking] = takings(callerOf('nobody'));
    expect(await store().take(taking!, SIGNAL)).toEqual({ done: false, item: undefined });
    expect(await accountItem(table, 'nobody')).toBeUndefined();
  });

  it('leaves all other attributes of the account alone', async () => {
    const item = { ...BASE, q_m202610: 7, th: { per: BASE.per, inc: BASE.inc, percent: 50 }, tt: 80 };
    const tenant = await stored(table, item);
    await store().take({ ...takings(callerOf(tenant))[0]!, now: NOW }, SIGNAL);
    expect(await accountItem(table, tenant)).toMatchObject({ ...item, tat: NOW + T, [COUNTER]: 1, lu: 1 });
  });
});

describe('a refund', () => {
  it('takes one off the counter that was reserved from, and never goes below zero', async () => {
    const tenant = await stored(table, { ...BASE, q_m202610: 1, [COUNTER]: 2, tu: 0 });
    expect(await store().giveBack({ tenant, counter: 'q_m202610' }, SIGNAL)).toBe(true);
    expect(await store().giveBack({ tenant, counter: 'q_m202610' }, SIGNAL)).toBe(false);
    expect(await store().giveBack({ tenant, counter: 'tu' }, SIGNAL)).toBe(false);
    expect(await store().giveBack({ tenant, counter: 'q_gone' }, SIGNAL)).toBe(false);
    expect(await store().giveBack({ tenant: 'nobody', counter: COUNTER }, SIGNAL)).toBe(false);
    const item = await accountItem(table, tenant);
    expect(item).toMatchObject({ q_m202610: 0, [COUNTER]: 2, tu: 0 });
    expect(item).not.toHaveProperty('q_gone');
    expect(await accountItem(table, 'nobody')).toBeUndefined();
  });

  it('of many at once gives back no more than was counted', async () => {
    const tenant = await stored(table, { ...BASE, [COUNTER]: 7 });
    const given = await Promise.all(
      Array.from({ length: 20 }, () => store().giveBack({ tenant, counter: COUNTER }, SIGNAL)),
    );
    expect(given.filter(Boolean)).toHaveLength(7);
    expect(await accountItem(table, tenant)).toMatchObject({ [COUNTER]: 0 });
  });
});
