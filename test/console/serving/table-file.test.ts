import { expect, it } from 'vitest';
import { keyList } from '../../../functions/console/keys/key.screens.tsx';
import { page } from '../../../functions/console/pages/screen.ts';
import { tableFile } from '../../../functions/console/serving/table-file.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const key = (id: string, name: string) => ({
  id,
  name,
  mode: 'test',
  prefix: `sk_test_demo_${id}`,
  createdAt: '2020-01-01T00:00:00.000Z',
  createdBy: null,
  lastUsedAt: null,
});
const FORMULAS = ['=HYPERLINK("https://evil.example","Click")', '+1+1', '@SUM(A1)', '-1+1'];

/** The file of a table on the page of keys, of which the list has two pages. */
async function fileOf(csv: string) {
  const pages: object[] = [
    { items: [key('abcdefghijklmnop', 'Shop, Ltd.')], nextCursor: 'next' },
    { items: FORMULAS.map((name, n) => key(`o-${n}`, name)) },
  ];
  const { download, calls } = await renderedScreen(
    async (request) => (await tableFile(keyList, request)) ?? page('There is none', ''),
    {
      query: { csv },
      answers: {
        get 'GET accounts/demo/keys'() {
          return pages.shift();
        },
      },
    },
  );
  return { download, cursors: calls.map(({ query }) => query?.['cursor']) };
}

it('a table as a file has the rows of all pages of its list, whole ids, times, and no cell that a spreadsheet runs', async () => {
  const { download = '', cursors } = await fileOf('Conversion keys');
  expect(cursors).toEqual(['', 'next']);
  const lines = download.trimEnd().split('\r\n');
  expect(lines[0]).toBe('\uFEFFName,State,Key,Mode,Created,Last used,Revoke');
  expect(lines[1]).toMatch(/^"Shop, Ltd\.",Active,.*abcdefghijklmnop.*,2020-01-01T00:00:00\.000Z,/);
  expect(lines.slice(2).map((line) => line.replace(/^"/, '').slice(0, 2))).toEqual(["'=", "'+", "'@", "'-"]);
});

it('a table that the page has not is no file', async () => {
  expect((await fileOf('Nothing')).download).toBeUndefined();
});
