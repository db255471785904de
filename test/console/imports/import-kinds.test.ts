import { describe, expect, it } from 'vitest';
import { importList, importScreen, rejectionsFile } from '../../../functions/console/imports/import.screens.tsx';
import { importCommand, kindOf } from '../../../functions/console/imports/import-kinds.ts';
import { RENDERED_AT, renderedScreen } from '../../support/console/rendered-screen.tsx';

const job = {
  id: 'imp_1',
  type: 'places',
  name: 'cafes.csv',
  key: 'demo/cafes.csv',
  status: 'COMPLETED',
  lines: 2,
  imported: 1,
  deleted: 0,
  rejected: 1,
  bytes: 10,
  bytesDone: 10,
  startedAt: new Date(RENDERED_AT).toISOString(),
  updatedAt: new Date(RENDERED_AT).toISOString(),
  rejections: [{ line: 2, reason: 'name is required' }],
  rejectionsUrls: ['https://files.example.com/report'],
};
const place = { ...job, name: 'of-the-tenant.csv' };
const record = { ...job, name: 'of-the-service.csv', type: 'products' };
const answers = {
  'GET loyalty/imports': { items: [place] },
  'GET loyalty/imports/imp_1': place,
  'GET imports': { items: [record] },
  'GET imports/imp_1': record,
};
const operator = { tenant: 'operations', isOperator: true };

describe('the imports that an operator sees', () => {
  it('while acting for a tenant are those of the tenant, in the list and alone', async () => {
    const path = { tenant: 'demo', id: 'imp_1' };
    for (const screen of [importList, importScreen]) {
      const { text, links, calls } = await renderedScreen(screen, { path, person: operator, answers });
      expect(text).toContain('of-the-tenant.csv');
      expect(text).not.toContain('of-the-service.csv');
      expect(calls.every(({ name }) => name.startsWith('GET loyalty/'))).toBe(true);
      for (const to of links.values()) expect(to).toMatch(/^\/console\/t\/demo\/imports/);
    }
  });

  it('on the screens of operators are those of records, which belong to no tenant', async () => {
    const pageRequest = { path: { id: 'imp_1', number: '1' }, person: operator, tenant: '', answers };
    const list = await renderedScreen(importList, pageRequest);
    expect(list.links.get('of-the-service.csv')).toBe('/console/imports/imp_1');
    expect(list.text).not.toContain('of-the-tenant.csv');
    const { links } = await renderedScreen(importScreen, pageRequest);
    expect(links.get('Download all')).toBe('/console/imports/imp_1/rejections/1');
    expect((await renderedScreen(rejectionsFile, pageRequest)).to).toBe('https://files.example.com/report');
  });
});

it('imports of places are made for the tenant whose screen it is', () => {
  expect(importCommand(kindOf({ tenant: 'acme-inc' }), 'acme-inc')).toContain('--type places --tenant acme-inc');
  expect(importCommand(kindOf({ tenant: '' }), '')).toContain('--type businesses');
});
