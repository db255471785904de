import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookAlikesOf, pointTo } from '../../../functions/images/duplicates/look-alikes.dynamodb.ts';
import { ownerOf, type Print, printWrite } from '../../../functions/images/duplicates/prints.dynamodb.ts';
import type { Seen } from '../../../functions/images/duplicates/twins.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { newId } from '../../../shared/ids.ts';
import { type Table, transact } from '../../../shared/table.dynamodb.ts';
import { likenessOfSeed } from '../../support/examinations.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/local-endpoint.ts';
import { createImagesTable } from '../../support/local-table.ts';
import { newValidation, store } from '../../support/validations.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
});
afterAll(() => endpoint.close());

const tenantWith = () => {
  const tenant = newId('t');
  let records = 0;
  return {
    tenant,
    seen: async (seen: Seen, own: Partial<Validation> = {}): Promise<Validation> => {
      records += 1;
      const record = await store(table, newValidation({ tenant, id: String(records), ...own }));
      await pointTo(table, record, { slot: 'one', seen, now: NOW });
      return record;
    },
  };
};
const idsOf = async (tenant: string, seen: Seen, id = '0') =>
  (await lookAlikesOf(table, { tenant, id }, seen)).map(({ validation }) => validation.id);

describe('records that have an image in common', () => {
  const likeness = likenessOfSeed(1);
  const nearby = `${likeness.slice(0, 4)}${likenessOfSeed(2).slice(4)}`;

  it('are found by its bytes, and by any part of its likeness, each once', async () => {
    const { tenant, seen } = tenantWith();
    await seen({ sha256: 'aa' });
    await seen({ sha256: 'bb', likeness, content: 'x' });
    await seen({ sha256: 'cc', likeness: nearby });
    await seen({ sha256: 'dd', likeness: likenessOfSeed(3) });
    expect(await idsOf(tenant, { sha256: 'aa' })).toEqual(['1']);
    const found = await lookAlikesOf(table, { tenant, id: '0' }, { sha256: 'ee', likeness });
    expect(found.map(({ validation: { id }, likeness: own, content }) => [id, own, content])).toEqual([
      ['2', likeness, 'x'],
      ['3', nearby, undefined],
    ]);
  });

  it('are neither the record itself nor one of another tenant', async () => {
    const { tenant, seen } = tenantWith();
    const { id } = await seen({ sha256: 'aa', likeness });
    expect(await idsOf(tenant, { sha256: 'aa', likeness }, id)).toEqual([]);
    expect(await idsOf(tenantWith().tenant, { sha256: 'aa', likeness })).toEqual([]);
  });

  it('are as they are now, and left out where there is no record', async () => {
    const { tenant, seen } = tenantWith();
    await seen({ sha256: 'aa' }, { status: 'valid' });
    await pointTo(table, { tenant, id: '2' }, { slot: 'one', seen: { sha256: 'aa' }, now: NOW });
    const found = await lookAlikesOf(table, { tenant, id: '0' }, { sha256: 'aa' });
    expect(found.map(({ validation: { id, status } }) => [id, status])).toEqual([['1', 'valid']]);
  });

  it('are the oldest fifty where there are more: the first of a picture is the one that counts', async () => {
    const { tenant, seen } = tenantWith();
    for (let n = 0; n < 60; n += 1) await seen({ sha256: 'aa' });
    const found = await idsOf(tenant, { sha256: 'aa' });
    expect(found.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });
});

describe('what is awarded once', () => {
  const award = async (record: Validation, ...prints: Print[]) =>
    (
      await transact(
        table,
        prints.map((print) => printWrite(table, record, print)),
      )
    ).done;

  it('belongs to the first record that reserves it, which may do so again', async () => {
    const tenant = newId('t');
    const [first, second] = [newValidation({ tenant, id: '1' }), newValidation({ tenant, id: '2' })];
    const [bytes, content] = [
      { kind: 'bytes', digest: 'aa' },
      { kind: 'content', digest: 'aa', transaction: 'T-1' },
    ] as const;
    expect(await award(first, bytes, content)).toBe(true);
    expect(await award(first, bytes, content)).toBe(true);
    expect(await award(second, bytes)).toBe(false);
    expect(await award(second, { kind: 'bytes', digest: 'bb' }, content)).toBe(false);
    expect(await ownerOf(table, tenant, content)).toEqual({
      validation: '1',
      transaction: 'T-1',
    });
    expect(await ownerOf(table, tenant, { kind: 'bytes', digest: 'bb' })).toBeUndefined();
    expect(await award(newValidation({ id: '2' }), bytes, content)).toBe(true);
  });
});
