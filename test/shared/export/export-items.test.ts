import { describe, expect, it } from 'vitest';
import { type ExportSubject, exportItems, lineOf } from '../../../shared/export/export-items.ts';
import { inKey, keyPart, member, type StoredKinds } from '../../../shared/export/stored-kinds.ts';
import type { Item } from '../../../shared/table/table.dynamodb.ts';

const KINDS: StoredKinds<'APP#' | 'VISIT#' | 'VALIDATION#' | 'PROBE'> = {
  'APP#': { file: 'apps', tenant: member('tenant'), secrets: ['hash', 'sign.in.secret'] },
  'VISIT#': { file: 'visits', tenant: inKey, customer: keyPart(2) },
  'VALIDATION#': { file: 'validations', tenant: inKey, customer: member('customer'), sharesPartition: true },
  PROBE: { ownerless: 'It belongs to no tenant.' },
};
const REVIEW = { pk: 'VALIDATION#acme#1', sk: 'REVIEW', by: 'ann' };
const ITEMS: readonly Item[] = [
  { pk: 'APP#a', sk: 'APP', tenant: 'acme', hash: 'h', sign: { in: { secret: 's', name: 'n' } } },
  { pk: 'APP#acme', sk: 'APP', tenant: 'other' },
  { pk: 'VISIT#acme#cus_1', sk: 'VISIT' },
  { pk: 'VISIT#acme-2#cus_1', sk: 'VISIT' },
  { pk: 'VISIT#acme#cus_12', sk: 'VISIT' },
  REVIEW,
  { pk: 'VALIDATION#acme#1', sk: 'VALIDATION', customer: 'cus_1' },
  { pk: 'VALIDATION#acme#2', sk: 'REVIEW', by: 'bob' },
  { pk: 'VALIDATION#acme#2', sk: 'VALIDATION', customer: 'cus_2' },
  { pk: 'PROBE', sk: 'PROBE' },
];

/** The exported items, by file, and the partitions that are returned. A page holds one item, so partitions span pages. */
async function exported(subject: ExportSubject, items = ITEMS) {
  const files: Record<string, Item[]> = {};
  const partitions = await exportItems(
    {
      kinds: KINDS,
      pages: async function* () {
        for (const item of items) yield [item];
      },
      write: async (file, item) => void (files[file] ??= []).push(item),
    },
    subject,
  );
  return { files, partitions };
}

describe('the export of items', () => {
  it('holds every item of the tenant and none of another whose name begins like it', async () => {
    const { files, partitions } = await exported({ tenant: 'acme' });
    expect(Object.fromEntries(Object.entries(files).map(([file, { length }]) => [file, length]))).toEqual({
      apps: 1,
      visits: 2,
      validations: 4,
    });
    expect([...partitions]).not.toContain('VISIT#acme-2#cus_1');
  });

  it('of a customer holds its items and the items in the same partitions', async () => {
    const { files, partitions } = await exported({ tenant: 'acme', customer: 'cus_1' });
    expect(files).toEqual({
      visits: [{ pk: 'VISIT#acme#cus_1', sk: 'VISIT' }],
      validations: [REVIEW, { pk: 'VALIDATION#acme#1', sk: 'VALIDATION', customer: 'cus_1' }],
    });
    expect([...partitions]).toEqual(['VISIT#acme#cus_1', 'VALIDATION#acme#1']);
  });

  it('leaves out secrets, also those within a member', async () => {
    const { files } = await exported({ tenant: 'acme' });
    expect(files['apps']).toEqual([{ pk: 'APP#a', sk: 'APP', tenant: 'acme', sign: { in: { name: 'n' } } }]);
  });

  it('fails at an item of an undescribed kind', async () => {
    await expect(exported({ tenant: 'acme' }, [{ pk: 'NEW#acme#1', sk: 'NEW' }])).rejects.toThrow('NEW#acme#1');
  });

  it('writes bytes as Base64 and sets as arrays', () => {
    expect(lineOf({ bytes: new Uint8Array([1, 2]), set: new Set(['a']), deep: { bytes: Buffer.from([3]) } })).toBe(
      '{"bytes":"AQI=","set":["a"],"deep":{"bytes":"Aw=="}}\n',
    );
  });
});
