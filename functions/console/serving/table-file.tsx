import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CSV, type ListedTable, type PageTables, PageTablesContext } from '../components/tables.ts';
import { type View, ViewContext } from '../components/view.ts';
import type { Answer, Page, PageRequest, Screen } from '../pages/screen.ts';
import { csvLine, textOf } from './csv.ts';

/** The most pages of a list in one file, and the longest time for reading them: a gateway waits for 30 seconds. */
const PAGES_MAX = 200;
const READING_MILLIS = 20_000;
/** A function answers 6 MB, in which three bytes of a file take four characters. */
const BYTES_MAX = 4_000_000;

/** Returns a table of a screen as a CSV file with all pages of its list; undefined if the page has no such table. */
export async function tableFile(screen: Screen, pageRequest: PageRequest): Promise<Answer | undefined> {
  const caption = pageRequest.query.get(CSV) ?? '';
  const until = performance.now() + READING_MILLIS;
  let query = without(pageRequest.query, CSV);
  let text = '';
  let bytes = 0;
  const add = (cells: readonly string[]) => {
    const line = csvLine(cells);
    text += line;
    bytes += Buffer.byteLength(line);
  };
  for (let pages = 1; ; pages += 1) {
    const answer = await screen({ ...pageRequest, query });
    const { table, next } = answer.kind === 'page' ? tableIn(answer, pageRequest, caption) : {};
    if (!table) return undefined;
    if (pages === 1) add(table.titles);
    for (const row of table.rows) add(row);
    if (next === undefined) break;
    if (pages === PAGES_MAX || bytes > BYTES_MAX || performance.now() > until) {
      add(['The list goes on: narrow it with its filters.']);
      break;
    }
    query = new URLSearchParams(next.split('?')[1]);
  }
  // The byte order mark tells spreadsheets that the text is UTF-8.
  const content = new TextEncoder().encode(`\uFEFF${text}`);
  return { kind: 'download', name: `${caption.toLowerCase().replaceAll(/\W+/g, '-')}.csv`, bytes: content };
}

function tableIn(page: Page, { person, tenant, now, url }: PageRequest, caption: string) {
  const own: PageTables = { tables: [] };
  const noText = () => '';
  const view: View = {
    person,
    tenant,
    now,
    url,
    origin: '',
    hasOwnAddress: true,
    timeZone: 'UTC',
    asset: noText,
    productName: '',
    newFormToken: noText,
  };
  const render = (content: ComponentChildren) =>
    renderToString(
      <ViewContext.Provider value={view}>
        <PageTablesContext.Provider value={own}>{content}</PageTablesContext.Provider>
      </ViewContext.Provider>,
    );
  render(page.body);
  const table = own.tables.find((one) => one.caption === caption);
  return { table: table && inText(table, render), next: own.next };
}

const inText = ({ titles, rows }: ListedTable, render: (content: ComponentChildren) => string) => ({
  titles,
  rows: rows.map((cells) => cells.map((cell) => textOf(render(cell)))),
});

function without(query: URLSearchParams, name: string): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete(name);
  return rest;
}
