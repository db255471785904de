import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import { readAccount } from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import type { Caller } from '../../../../functions/conversions/billing/metering/admission.ts';
import type { Taking } from '../../../../functions/conversions/billing/metering/meter.ts';
import { meterStore } from '../../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import { dynamoDbClient, type Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';
import { account, callerOf, NOW, patientTable, put, stored } from '../../../support/conversions/meter-accounts.ts';
import { MemoryMeter } from '../../../support/runner/memory-meter.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await patientTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const SIGNAL = new AbortController().signal;
const store = () => meterStore(table, { advance: () => Promise.reject(new Error('not here')), now: () => NOW / 1_000 });

const BASE = account('growth', { hardLimit: 3, testQuota: 4 });
const { tokenMicros: T, burst: B } = BASE;
const HIGHEST = NOW + (B - 1) * T;
const COUNTER = `q_${BASE.periodId}`;
const withKey = (key: object) => ({
  credentials: { ...BASE.credentials, live1: { ...BASE.credentials['live1'], ...key } as never },
});

/** Items that differ in one respect from one that admits, on both sides of each border. */
const ITEMS: Readonly<Record<string, Partial<Account>>> = {
  'with a bucket that was never used': {},
  'with a bucket that has just become full': { arrival: NOW },
  'with a bucket in use since now': { arrival: NOW + 1 },
  'with one token left': { arrival: HIGHEST },
  'a microsecond short of a token': { arrival: HIGHEST + 1 },
  'of an older version': { version: BASE.version - 1, arrival: NOW },
  'of a newer version': { version: BASE.version + 1, arrival: NOW },
  'of an older version, in use': { version: BASE.version - 1, arrival: NOW + T },
  'of a newer version, in use': { version: BASE.version + 1, arrival: NOW + T },
  'in the last microsecond of its limits': { validUntil: NOW + 1 },
  'in the last microsecond of its limits, in use': { validUntil: NOW + 1, arrival: NOW + T },
  'whose limits have ended': { validUntil: NOW },
  'whose limits have ended, in use': { validUntil: NOW, arrival: NOW + T },
  'with one conversion left': { [COUNTER]: 2, testUsed: 3 },
  'with one conversion left, in use': { [COUNTER]: 2, testUsed: 3, arrival: NOW + T },
  'with no conversion left': { [COUNTER]: 3, testUsed: 4 },
  'with no conversion left, in use': { [COUNTER]: 3, testUsed: 4, arrival: NOW + T },
  'with more used than is allowed': { [COUNTER]: 4, testUsed: 5 },
  'that allows nothing': { hardLimit: 0, testQuota: 0 },
  'with counters of other periods': { q_m202610: 9, [COUNTER]: 1 },
  'with a pool that is used up': { testUsed: 4 },
  'with live conversions that are used up': { [COUNTER]: 3 },
  'with a revoked key': withKey({ state: 'revoked' }),
  'with another hash of the key': withKey({ hash: 'hash-of-another' }),
  'without keys': { credentials: {} },
};

const CALLERS: Readonly<Record<string, (tenant: string) => Caller>> = {
  'a live key': (tenant) => callerOf(tenant, 'live1'),
  'a test key': (tenant) => callerOf(tenant, 'test1'),
  'an OAuth client': (tenant) => callerOf(tenant, 'client1'),
  'a key outside of the item': (tenant) => ({ ...callerOf(tenant, 'live1'), credentialId: 'xabc' }),
};

/** Callers that differ in their key alone are told apart only by items that differ in theirs. */
const callersOf = (members: Partial<Account>) => {
  const { 'a live key': live, 'a test key': test } = CALLERS;
  return isThorough || members.credentials ? Object.values(CALLERS) : [live!, test!];
};

const takings = (caller: Caller): Taking[] =>
  (['idle', 'busy'] as const).flatMap((branch) =>
    [true, false].flatMap((counts) =>
      [NOW, NOW - T, NOW - T - 1].map((since) => ({ caller, branch, counts, since, now: NOW, item: BASE })),
    ),
  );

/** What a write of the table does beside that of the memory, each to an item of its own. */
async function decidedAlike(item: Account, taking: Taking) {
  const { tenant } = taking.caller;
  const memory = new MemoryMeter();
  memory.items.set(tenant, item);
  await put(table, tenant, item);
  const [real, simulated] = [await store().take(taking, SIGNAL), await memory.take(taking)];
  expect(real).toMatchObject(simulated);
  const now = await readAccount(table, tenant);
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
    expect(await decidedAlike({ ...BASE, arrival: HIGHEST }, busy!)).toBe(true);
    expect(await decidedAlike({ ...BASE, arrival: HIGHEST }, idle!)).toBe(false);
    expect(await decidedAlike(BASE, busy!)).toBe(false);
    expect(await decidedAlike({ ...BASE, [COUNTER]: 3 }, idle!)).toBe(false);
  });

  it('finds no account, without making one', async () => {
    const [taking] = takings(callerOf('nobody'));
    expect(await store().take(taking!, SIGNAL)).toEqual({ done: false, item: undefined });
    expect(await readAccount(table, 'nobody')).toBeUndefined();
  });

  it('leaves all other attributes of the account alone', async () => {
    const item = {
      ...BASE,
      q_m202610: 7,
      announcedThreshold: { periodId: BASE.periodId, included: BASE.included, percent: 50 },
      announcedTestPercent: 80,
    };
    const tenant = await stored(table, item);
    await store().take({ ...takings(callerOf(tenant))[0]!, now: NOW }, SIGNAL);
    expect(await readAccount(table, tenant)).toMatchObject({ ...item, arrival: NOW + T, [COUNTER]: 1, liveTotal: 1 });
  });
});

describe('a table that throttles one of eight calls', () => {
  it('admits exactly what the limit allows, because a throttled call is tried again', async () => {
    const throttling = await startLocalEndpoint({ like: new Set(['throttles']) });
    const { name } = await createTable({ clientOptions: () => throttling.clientOptions() }, 'conversions');
    const tableWith = (maxAttempts: number) => ({
      name,
      client: dynamoDbClient({ ...throttling.clientOptions(), maxAttempts }),
    });
    // The client of the meter tries once.
    const own = meterStore(tableWith(1), {
      advance: () => Promise.reject(new Error('not here')),
      now: () => NOW / 1_000,
    });
    const tenant = await stored(tableWith(5), BASE);
    const [taking] = takings(callerOf(tenant));
    const outcomes: boolean[] = [];
    for (let nth = 0; nth < 30; nth += 1) {
      expect(await own.read(tenant, SIGNAL)).toBeDefined();
      const now = NOW + nth * B * T;
      outcomes.push((await own.take({ ...taking!, since: now, now }, SIGNAL)).done);
    }
    expect(outcomes.filter(Boolean)).toHaveLength(3);
    await throttling.close();
  });
});

describe('a refund', () => {
  it('takes one off the counter that was reserved from, and never goes below zero', async () => {
    const tenant = await stored(table, { ...BASE, q_m202610: 1, [COUNTER]: 2, testUsed: 0 });
    expect(await store().giveBack({ tenant, counter: 'q_m202610' }, SIGNAL)).toBe(true);
    expect(await store().giveBack({ tenant, counter: 'q_m202610' }, SIGNAL)).toBe(false);
    expect(await store().giveBack({ tenant, counter: 'testUsed' }, SIGNAL)).toBe(false);
    expect(await store().giveBack({ tenant, counter: 'q_gone' }, SIGNAL)).toBe(false);
    expect(await store().giveBack({ tenant: 'nobody', counter: COUNTER }, SIGNAL)).toBe(false);
    const item = await readAccount(table, tenant);
    expect(item).toMatchObject({ q_m202610: 0, [COUNTER]: 2, testUsed: 0 });
    expect(item).not.toHaveProperty('q_gone');
    expect(await readAccount(table, 'nobody')).toBeUndefined();
  });

  it('of many at once gives back no more than was counted', async () => {
    const tenant = await stored(table, { ...BASE, [COUNTER]: 7 });
    const given = await Promise.all(
      Array.from({ length: 20 }, () => store().giveBack({ tenant, counter: COUNTER }, SIGNAL)),
    );
    expect(given.filter(Boolean)).toHaveLength(7);
    expect(await readAccount(table, tenant)).toMatchObject({ [COUNTER]: 0 });
  });
});
