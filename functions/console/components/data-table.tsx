import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { PageTablesContext } from './tables.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** The cell in a CSV file. @default the text of the cell */
  readonly text?: (row: Row) => string;
  /** True if the cell is aligned right, as numbers and times are. */
  readonly isRight?: boolean;
  /** True for the column whose cells name their rows. @default the first column */
  readonly isRowHeader?: true;
  readonly class?: string;
  /** The width of the window in pixels from which the column is shown. @default always */
  readonly from?: 1_200 | 1_520;
  /**
   * The position of the cell on a phone, where a row becomes a few lines of two columns.
   * @default a line of its own
   */
  readonly onPhone?: 'first' | 'second' | 'gone';
}

interface DataTableProps<Row> {
  /** The name of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A table that scrolls sideways if it must. The explicit roles keep it a table when a phone displays it as lines. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: DataTableProps<Row>) {
  const page = useContext(PageTablesContext);
  page?.tables.push({
    caption,
    titles: columns.map(({ title }) => title),
    rows: rows.map((row) => columns.map(({ cell, text = cell }) => text(row))),
  });
  const rowHeader = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keys
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table class="folding" role="table">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, isRight, from }) => (
              <th
                key={title}
                scope="col"
                role="columnheader"
                class={classes(isRight && 'right', from && `from-${from}`)}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) =>
                column === rowHeader ? (
                  <th key={column.title} scope="row" role="rowheader" class={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} role="cell" class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ON_PHONE = { first: '', second: 'second', gone: 'gone' } as const;

const classOf = <Row,>({ isRight, from, class: own, onPhone }: Column<Row>) =>
  classes(isRight && 'right', from && `from-${from}`, own, onPhone === undefined ? 'whole' : ON_PHONE[onPhone]);

const classes = (...names: readonly (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined;

interface PagerProps {
  /** The address of the first page; undefined on the first page. */
  readonly newest: string | undefined;
  readonly older: string | undefined;
  readonly label?: string;
  readonly firstLabel?: string;
}

/** Links to the next and the first page. Cursors only go forward, so there is no link to the previous page. */
export function Pager({ newest, older, label = 'Older', firstLabel = 'Newest' }: PagerProps) {
  const page = useContext(PageTablesContext);
  if (page) page.next = older;
  if (newest === undefined && older === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {newest === undefined ? <span /> : <a href={newest}>{firstLabel}</a>}
      {older === undefined ? <span /> : <a href={older}>{label}</a>}
    </nav>
  );
}
