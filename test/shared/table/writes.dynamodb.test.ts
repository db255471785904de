import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getItem, type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import {
  assignment,
  conditionCheck,
  deleteItem,
  deleteWrite,
  EXISTS,
  IS_NEW,
  putItem,
  putWrite,
  updateItem,
  updateWrite,
} from '../../../shared/table/writes.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'writes');
});
afterAll(() => endpoint.close());

let keys = 0;
const newKey = () => ({ pk: `item-${(keys += 1)}`, sk: 'ITEM' });

describe('an assignment', () => {
  // Reserved words of DynamoDB among them.
  const name = fc.constantFrom('status', 'name', 'ttl', 'count', 'own', 'at');
  const attributes = fc.dictionary(name, fc.option(fc.oneof(fc.integer(), fc.string()), { nil: undefined }));
  const present = (values: object) => Object.fromEntries(Object.entries(values).filter(([, one]) => one !== undefined));

  it('gives an item exactly these attributes, whatever it had before', async () => {
    const initial = fc.dictionary(fc.constantFrom('createdAt', 'order'), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(attributes, initial), { minLength: 1, maxLength: 4 }), async (changes) => {
        const key = newKey();
        let expected: object = {};
        for (const [change, first] of changes) {
          if (Object.keys({ ...change, ...first }).length === 0) continue;
          const written = await updateItem(table, key, { ...assignment(change, first), returns: 'ALL_NEW' });
          expected = present({ ...first, ...expected, ...change });
          expect(written).toEqual({ done: true, item: { ...key, ...expected } });
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a write', () => {
  it('is made if its condition holds, and else says so', async () => {
    const key = newKey();
    expect(await putItem(table, { ...key, status: 'OPEN' }, IS_NEW)).toEqual({ done: true, item: {} });
    expect(await putItem(table, { ...key, status: 'NEW' }, IS_NEW)).toEqual({ done: false });
    expect(await putItem(table, { ...key, status: 'NEW' }, { ...IS_NEW, returnsOld: true })).toEqual({
      done: false,
      item: { ...key, status: 'OPEN' },
    });
    const isClosed = { condition: '#status = :closed', values: { closed: 'CLOSED', unknown: undefined } };
    expect(await updateItem(table, key, { change: 'SET looks = :closed', ...isClosed })).toEqual({ done: false });
    expect(await deleteItem(table, key, isClosed)).toEqual({ done: false });
    expect(await getItem(table, key)).toEqual({ ...key, status: 'OPEN' });
    expect(await deleteItem(table, key, EXISTS)).toEqual({ done: true, item: {} });
    expect(await getItem(table, key)).toBeUndefined();
  });

  it('names an attribute by another placeholder', async () => {
    const key = newKey();
    await updateItem(table, key, { change: 'SET #slot = :until', names: { slot: 'slot3' }, values: { until: 5 } });
    expect(await getItem(table, key)).toEqual({ ...key, slot3: 5 });
  });

  it('is one of a transaction, which is refused if one of its conditions does not hold', async () => {
    const [put, changed, deleted, checked] = [newKey(), newKey(), newKey(), newKey()];
    const writes = [
      putWrite(table.name, { ...put, n: 1 }, IS_NEW),
      updateWrite(table.name, changed, { change: 'ADD #count :one', values: { one: 1 } }),
      deleteWrite(table.name, deleted),
      conditionCheck(table.name, checked, { ...EXISTS, returnsOld: true }),
    ];
    await putItem(table, deleted);
    const refused = { done: false, refused: [undefined, undefined, undefined, {}] };
    expect(await transact(table, writes)).toEqual(refused);
    expect(await getItem(table, put)).toBeUndefined();
    await putItem(table, checked);
    expect(await transact(table, writes)).toEqual({ done: true });
    expect(await getItem(table, put)).toEqual({ ...put, n: 1 });
    expect(await getItem(table, changed)).toEqual({ ...changed, count: 1 });
    expect(await getItem(table, deleted)).toBeUndefined();
  });
});
