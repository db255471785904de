import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tablePages } from '../../../shared/export/table-pages.dynamodb.ts';
import { putNewItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'pages');
});
afterAll(() => endpoint.close());

describe('the pages of a table', () => {
  it('go on to the last item of a table that one answer cannot hold', async () => {
    const names = Array.from({ length: 9 }, (_, n) => `RUN#acme#${n}`);
    for (const pk of names) await putNewItem(table, { pk, sk: 'RUN', body: 'x'.repeat(300_000) });
    const pages: string[][] = [];
    for await (const items of tablePages(table)) pages.push(items.map(({ pk }) => String(pk)));
    expect(pages.flat().sort()).toEqual(names);
    expect(pages.length).toBeGreaterThan(2);
  });
});
