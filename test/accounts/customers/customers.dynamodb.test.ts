import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerStore } from '../../../functions/accounts/customers/customer-store.dynamodb.ts';
import {
  changeCustomer,
  createCustomer,
  customerById,
  deleteCustomer,
  listCustomers,
} from '../../../functions/accounts/customers/manage-customers.ts';
import { shownCustomer, shownCustomers } from '../../../functions/accounts/customers/shown-customers.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { knownCustomers } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import { pointsWrites } from '../../../shared/loyalty/points-ledger.dynamodb.ts';
import { type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'customers');
});
afterAll(() => endpoint.close());

let second = 0;
const later = () => Date.UTC(2026, 0, 1, 0, 0, (second += 1));
const creating = (tenant: string, externalId?: string, own = table) =>
  createCustomer(customerStore(own), { externalId, attributes: {} }, { tenant, id: newId('cus'), now: later() });
const changing = (key: { tenant: string; id: string }, change: object, own = table) =>
  changeCustomer(customerStore(own), change, { tenant: key.tenant, id: key.id, now: later() });
const deleting = ({ tenant, id }: { tenant: string; id: string }, own = table) =>
  deleteCustomer(customerStore(own), { tenant, id, erasure: newId('era'), now: later() });

const taken = { status: 409, code: 'external-id-taken' };
const missing = { status: 404, code: 'not-found' };

/** Customers of a tenant by external id: as their items say, and as the links to them say. */
async function namesOf(tenant: string) {
  const { Items: items = [] } = await table.client.send(
    new ScanCommand({ TableName: table.name, ConsistentRead: true }),
  );
  const all = items.map((item) => unmarshall(item));
  const below = (prefix: string) => all.filter(({ pk }) => String(pk).startsWith(`${prefix}${tenant}#`));
  const said = below('CUSTOMER#').flatMap(({ externalId, id }) => (externalId === undefined ? [] : [[externalId, id]]));
  const linked = below('EXTERNAL#').map(({ pk, customer }) => [
    String(pk).slice(`EXTERNAL#${tenant}#`.length),
    customer,
  ]);
  const byName = ([a]: unknown[], [b]: unknown[]) => (String(a) < String(b) ? -1 : 1);
  return { said: said.toSorted(byName), linked: linked.toSorted(byName) };
}

async function expectConsistent(tenant: string) {
  const { said, linked } = await namesOf(tenant);
  expect(linked).toEqual(said);
  return said;
}

describe('customers in DynamoDB', () => {
  it('are found again as they were stated, by their tenant only', async () => {
    const input = {
      externalId: 'e 1#/ä',
      email: 'a@example.com',
      attributes: { text: 'ä', number: 1e300, yes: true },
    };
    const key = { tenant: 'found', id: newId('cus') };
    const made = await createCustomer(customerStore(table), input, { ...key, now: later() });
    expect(await customerById(customerStore(table), key)).toEqual({ ...input, ...key, ...made });
    expect(await knownCustomers(table).byId(key)).toEqual({ id: key.id, externalId: input.externalId });
    const byExternalId = await knownCustomers(table).byExternalId('found', input.externalId);
    expect(byExternalId).toEqual({ id: key.id, externalId: input.externalId });
    const foreign = { tenant: 'other', id: key.id };
    await expect(customerById(customerStore(table), foreign)).rejects.toMatchObject(missing);
    await expect(changing(foreign, { email: null })).rejects.toMatchObject(missing);
    await expect(deleting(foreign)).rejects.toMatchObject(missing);
    expect(await knownCustomers(table).byId(foreign)).toBeUndefined();
    expect(await knownCustomers(table).byExternalId('other', input.externalId)).toBeUndefined();
    expect(await customerById(customerStore(table), key)).toEqual(made);
  });

  it('get an external id once, when 20 request it at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => creating('crowd', 'wanted')));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(19);
    for (const reason of refused) expect(reason).toMatchObject(taken);
    expect((await customerStore(table).list('crowd', { limit: 50 })).items).toHaveLength(1);
    expect(await expectConsistent('crowd')).toHaveLength(1);
  });

  it('need no external id, and may share any with customers of another tenant', async () => {
    const [one, two] = [await creating('none'), await creating('none')];
    expect(one.id).not.toBe(two.id);
    await creating('left', 'same');
    await creating('right', 'same');
    expect(await expectConsistent('none')).toEqual([]);
  });

  it('pass an external id on when they are renamed, lose it, or are deleted', async () => {
    const one = await creating('names', 'one');
    const two = await creating('names', 'two');
    await expect(changing(two, { externalId: 'one' })).rejects.toMatchObject(taken);
    expect((await customerById(customerStore(table), two)).externalId).toBe('two');
    expect(await changing(one, { externalId: 'uno' })).toMatchObject({ id: one.id, externalId: 'uno' });
    await changing(two, { externalId: 'one' });
    await changing(one, { externalId: null });
    expect(await customerById(customerStore(table), one)).not.toHaveProperty('externalId');
    await changing(one, { externalId: 'two' });
    await deleting(two);
    const three = await creating('names', 'one');
    expect(await expectConsistent('names')).toEqual([
      ['one', three.id],
      ['two', one.id],
    ]);
    await expect(deleting(two)).rejects.toMatchObject(missing);
  });

  it('keep what a change does not name', async () => {
    const key = { tenant: 'kept', id: newId('cus') };
    const input = { externalId: 'e1', email: 'a@example.com', attributes: { a: 1, b: 'two' } };
    const made = await createCustomer(customerStore(table), input, { ...key, now: later() });
    const changed = await changing(key, { attributes: { c: true } });
    expect(changed).toEqual({ ...made, attributes: { c: true }, updatedAt: changed.updatedAt });
    expect(changed.updatedAt > made.updatedAt).toBe(true);
    expect(await changing(key, { email: null })).not.toHaveProperty('email');
    expect(await customerById(customerStore(table), key)).toMatchObject({ externalId: 'e1', attributes: { c: true } });
    await changing(key, { externalId: 'e1' });
    expect(await expectConsistent('kept')).toEqual([['e1', key.id]]);
  });

  it('lose no change when two are made at the same time', async () => {
    const key = await creating('both', 'b');
    await Promise.all([
      changing(key, { email: 'a@example.com' }),
      changing(key, { attributes: { a: 1 } }),
      changing(key, { externalId: 'c' }),
    ]);
    expect(await customerById(customerStore(table), key)).toMatchObject({
      email: 'a@example.com',
      attributes: { a: 1 },
      externalId: 'c',
    });
  });

  it('swap external ids under a storm of renames without losing or doubling one', async () => {
    const made = await Promise.all(['a', 'b', 'c'].map((name) => creating('storm', name)));
    const externalIds = ['a', 'b', 'c', 'd', null];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => changing(made[n % 3]!, { externalId: externalIds[(n * 7) % 5] })),
    );
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(taken);
    const names = await expectConsistent('storm');
    expect(new Set(names.map(([name]) => name)).size).toBe(names.length);
  });

  it('are changed or deleted, never changed after being deleted', async () => {
    const key = await creating('race', 'mortal');
    await Promise.allSettled([changing(key, { externalId: 'renamed' }), deleting(key)]);
    await expect(customerById(customerStore(table), key)).rejects.toMatchObject(missing);
    expect(await expectConsistent('race')).toEqual([]);
  });

  it.each([
    { what: 'created', before: [], after: ['new'] },
    { what: 'renamed', before: ['old'], after: ['new'] },
    { what: 'deleted', before: ['old'], after: [] },
  ])('are $what whole or not at all, wherever the function dies', async ({ what, before, after }) => {
    const seen: unknown[] = [];
    for (const call of [1, 2, 3]) {
      for (const when of ['before', 'after'] as const) {
        const tenant = `${what}-${call}-${when}`;
        const key = what === 'created' ? { tenant, id: 'none' } : await creating(tenant, 'old');
        const mortal = { ...table, client: new Mortality(call, when).bind(table.client) };
        const work: Readonly<Record<string, () => Promise<unknown>>> = {
          created: () => creating(tenant, 'new', mortal),
          renamed: () => changing(key, { externalId: 'new' }, mortal),
          deleted: () => deleting(key, mortal),
        };
        await Promise.allSettled([work[what]?.()]);
        const names = (await expectConsistent(tenant)).map(([name]) => name);
        expect([before, after]).toContainEqual(names);
        seen.push(names);
      }
    }
    // It died on both sides of the write.
    expect(seen).toContainEqual(before);
    expect(seen).toContainEqual(after);
  });

  it('are listed newest first, page by page, each once, with their points, or found by external id', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await creating('listed', `e${n}`)).id);
    const entry = { id: 'p1', source: 'check-in', at: '2026-01-01T00:00:00.000Z', details: {} } as const;
    const earned = { ...entry, tenant: 'listed', customer: ids[1]!, points: 40 };
    expect((await transact(table, pointsWrites(table.name, earned))).done).toBe(true);
    const matches: { id: string; availablePoints: number }[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor && { cursor }) };
      const page = await shownCustomers(table, await listCustomers(customerStore(table), 'listed', query));
      matches.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    expect(matches.map(({ id, availablePoints }) => [id, availablePoints])).toEqual(
      ids.map((id, n) => [id, n === 1 ? 40 : 0]),
    );
    const byExternalId = async (tenant: string, externalId: string) =>
      (await listCustomers(customerStore(table), tenant, { limit: 50, externalId })).items.map(({ id }) => id);
    expect(await byExternalId('listed', 'e4')).toEqual([ids[0]]);
    for (const none of ['e5', '', 'e'.repeat(5_000)]) expect(await byExternalId('listed', none)).toEqual([]);
    expect(await byExternalId('other', 'e4')).toEqual([]);
  });

  it('leave their ledger until it is erased, and nobody inherits it', async () => {
    const key = await creating('heirs', 'e1');
    const entry = { id: 'p1', source: 'check-in', at: '2026-01-01T00:00:00.000Z', details: {} } as const;
    await transact(table, pointsWrites(table.name, { ...entry, tenant: 'heirs', customer: key.id, points: 40 }));
    expect((await shownCustomer(table, key)).availablePoints).toBe(40);
    await deleting(key);
    const heir = await creating('heirs', 'e1');
    expect((await shownCustomer(table, heir)).availablePoints).toBe(0);
    expect((await shownCustomer(table, key)).availablePoints).toBe(40);
  });
});
