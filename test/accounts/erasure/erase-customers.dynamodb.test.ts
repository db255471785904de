import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeErasures } from '../../../functions/accounts/erasure/complete-erasures.ts';
import { eraseLedger } from '../../../functions/accounts/erasure/erased-ledger.dynamodb.ts';
import { ERASING_DOMAINS, type ErasingDomain, type OpenErasure } from '../../../shared/erasures/erasure.ts';
import {
  completeErasure,
  erasureById,
  listErasures,
  newErasureWrites,
  noteErased,
  openErasures,
} from '../../../shared/erasures/erasure-items.dynamodb.ts';
import { runOpenErasures } from '../../../shared/erasures/run-open-erasures.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { balanceOf, type PointsEntry, pointsWrites } from '../../../shared/loyalty/points-ledger.dynamodb.ts';
import { type Item, type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { unlessKilled } from '../../support/faults/mortal-clients.ts';
import { deaths } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T10:30:00.000Z');
const HOUR = 3_600_000;

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'accounts');
});
afterAll(() => endpoint.close());

async function newErasure(own: Partial<OpenErasure> = {}): Promise<OpenErasure> {
  const erasure: OpenErasure = {
    subject: 'customer',
    tenant: newId('t'),
    id: newId('era'),
    customer: newId('cus'),
    requestedAt: isoTime(NOW),
    erasedAt: {},
    ...own,
  };
  await transact(table, newErasureWrites(table, erasure));
  return erasure;
}

/** Enters this many check-ins, of 1, 2, 3, … points, into the customer's ledger. */
async function earn({ tenant, customer }: OpenErasure, count: number, day = '2026-11-15'): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    const entry: PointsEntry = {
      tenant,
      customer,
      id: newId('chk'),
      points: n,
      source: 'check-in',
      at: `${day}T10:${String(n % 60).padStart(2, '0')}:00.000Z`,
      details: { app: 'shop', place: 'corner', latitude: 52.5, longitude: 13.4, listedAt: `${day}T10:00:00.000Z` },
    };
    await transact(table, pointsWrites(table.name, entry));
  }
}

/** Items of the ledgers of a tenant. */
async function ledgersOf(tenant: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, never> | undefined;
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    start = page.LastEvaluatedKey as typeof start;
  } while (start);
  return items.filter(({ pk }) => String(pk).startsWith(`POINTS#${tenant}#`));
}

/** Nothing names the customer, and entries and balance say what was earned. */
async function expectErased(
  { tenant, id, customer }: OpenErasure,
  { points, entries }: { points: number; entries: number },
) {
  const items = await ledgersOf(tenant);
  expect(JSON.stringify(items)).not.toMatch(new RegExp(`${customer}|chk_|corner|latitude|52\\.5|10:0`));
  expect(items.filter(({ sk }) => String(sk).startsWith('ENTRY#'))).toHaveLength(entries);
  expect(items.reduce((sum, item) => sum + (item['sk'] === 'BALANCE' ? 0 : Number(item['points'])), 0)).toBe(points);
  expect(await balanceOf(table, { tenant, id })).toBe(points);
}

describe('the ledger of an erased customer', () => {
  it('keeps its amounts and days, and nothing that names a person or a place', async () => {
    const erasure = await newErasure();
    await earn(erasure, 90);
    await eraseLedger(table, erasure);
    await expectErased(erasure, { points: (90 * 91) / 2, entries: 90 });
    const entry = (await ledgersOf(erasure.tenant)).find(({ sk }) => sk !== 'BALANCE');
    expect([entry?.['source'], entry?.['at'], entry?.['details']]).toEqual([
      'check-in',
      '2026-11-15T00:00:00.000Z',
      { app: 'shop' },
    ]);
  });

  it('is moved once, wherever a function dies, with what is earned meanwhile', async () => {
    for (const mortality of deaths()) {
      const erasure = await newErasure();
      await earn(erasure, 3);
      const mortal = { name: table.name, client: mortality.bind(table.client) };
      await eraseLedger(mortal, erasure).catch(unlessKilled);
      await earn(erasure, 1, '2026-11-16');
      await Promise.all([eraseLedger(table, erasure), eraseLedger(table, erasure)]);
      await expectErased(erasure, { points: 7, entries: 4 });
    }
  });
});

/** One call of the schedule of each of these domains. */
async function pass(domains: readonly ErasingDomain[], now: number, erase: (erasure: OpenErasure) => Promise<void>) {
  const failed: string[] = [];
  for (const domain of domains) {
    await runOpenErasures(
      {
        domain,
        open: () => openErasures(table),
        erase,
        eraseAccount: async () => {},
        note: (...noted) => noteErased(table, ...noted),
        failed: ({ id }) => failed.push(id),
      },
      now,
    );
  }
  return failed;
}
const complete = (now: number, domains: readonly ErasingDomain[] = ERASING_DOMAINS.customer) =>
  completeErasures(
    { open: () => openErasures(table), domains, complete: (erasure) => completeErasure(table, erasure, isoTime(now)) },
    now,
  );

describe('an erasure', () => {
  it('is done at once and again after an hour, then is complete and forgets its customer', async () => {
    const erasure = await newErasure();
    const other = await newErasure({ requestedAt: isoTime(NOW + HOUR) });
    const done: string[] = [];
    const erase = async ({ id }: OpenErasure) => void done.push(id);
    for (const [minutes, passes, isComplete] of [
      [30, 3, false],
      [59, 6, false],
      [60, 9, true],
    ] as const) {
      expect(await pass(ERASING_DOMAINS.customer, NOW + minutes * 60_000, erase)).toEqual([]);
      expect(done.filter((id) => id === erasure.id)).toHaveLength(passes);
      await complete(NOW + minutes * 60_000);
      expect((await erasureById(table, erasure))?.completedAt !== undefined).toBe(isComplete);
    }
    const after = await erasureById(table, erasure);
    expect(after).not.toHaveProperty('customer');
    expect(after?.erasedAt).toEqual(
      Object.fromEntries(ERASING_DOMAINS.customer.map((one) => [one, isoTime(NOW + HOUR)])),
    );
    expect((await erasureById(table, other))?.customer).toBe(other.customer);
    expect((await listErasures(table, erasure.tenant, { limit: 10 })).items).toEqual([after]);
    await complete(NOW + HOUR);
    expect(await pass(ERASING_DOMAINS.customer, NOW + 9 * HOUR, async () => {})).toEqual([]);
    await complete(NOW + 9 * HOUR);
  });

  it('waits for every domain of the stage, and for no other', async () => {
    const erasure = await newErasure();
    await pass(['accounts', 'images'], NOW + HOUR, async () => {});
    await complete(NOW + HOUR);
    expect(await erasureById(table, erasure)).not.toHaveProperty('completedAt');
    await complete(NOW + HOUR, ['accounts', 'images']);
    expect(await erasureById(table, erasure)).toMatchObject({ completedAt: isoTime(NOW + HOUR) });
  });

  it('that fails keeps no other from being done, is tried again, and counts as late after 20 hours', async () => {
    const [broken, sound] = [await newErasure(), await newErasure()];
    const erase = async ({ id }: OpenErasure) => {
      if (id === broken.id) throw new Error('unavailable');
    };
    expect(await pass(['places'], NOW + HOUR, erase)).toEqual([broken.id]);
    expect((await erasureById(table, sound))?.erasedAt).toEqual({ places: isoTime(NOW + HOUR) });
    expect(await complete(NOW + 20 * HOUR, ['places'])).toBe(0);
    expect(await complete(NOW + 20 * HOUR + 1, ['places'])).toBe(1);
    expect(await pass(['places'], NOW + 21 * HOUR, async () => {})).toEqual([]);
    expect(await complete(NOW + 21 * HOUR, ['places'])).toBe(0);
    expect((await erasureById(table, broken))?.completedAt).toBeDefined();
  });

  it('is found among more than a page of others', async () => {
    const tenant = newId('t');
    await Promise.all(Array.from({ length: 120 }, () => newErasure({ tenant })));
    let count = 0;
    for await (const page of openErasures(table)) count += page.filter((one) => one.tenant === tenant).length;
    expect(count).toBe(120);
  });
});
