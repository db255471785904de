import type { Column } from '../components/data-table.tsx';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import { cut, idOf, mainFieldsOf, valueText } from './record-display.ts';
import type { ResultRecord } from './search-answers.ts';
import type { SearchQuery } from './search-query.ts';

/** The most characters in a cell, and in the tooltip that shows more. */
const CELL_MAX = 120;
const HINT_MAX = 400;

/** The positions on a phone of the columns after the first one. */
const ON_PHONE = ['first', 'first', 'second'] as const;

/** The columns of a table of records: the fields that most people look for, of those that the records have. */
export function recordColumns(
  pageRequest: PageRequest,
  { type, view }: Pick<SearchQuery, 'type' | 'view'>,
  records: readonly ResultRecord[],
): Column<ResultRecord>[] {
  const linked = (record: ResultRecord, text: string) => (
    <a
      href={screenPath(pageRequest, `search/${encodeURIComponent(type)}/record`, { id: idOf(record), view })}
      title={cut(text, HINT_MAX)}
    >
      {cut(text, CELL_MAX)}
    </a>
  );
  const [first, ...others] = mainFieldsOf(records);
  const id: Column<ResultRecord> = {
    title: 'Id',
    class: first ? 'mono clip' : 'mono strong clip',
    onPhone: 'first',
    cell: (record) => (first ? idOf(record) : linked(record, idOf(record))),
  };
  if (!first) return [id];
  return [
    {
      title: first.title,
      class: 'strong clip',
      onPhone: 'first',
      cell: (record) => linked(record, valueText(record[first.name]) || idOf(record)),
    },
    ...others.map(({ name, title }, index) => ({
      title,
      class: 'clip',
      onPhone: ON_PHONE[index] ?? ('gone' as const),
      cell: (record: ResultRecord) => {
        const text = valueText(record[name]);
        return text === '' ? '–' : <span title={cut(text, HINT_MAX)}>{cut(text, CELL_MAX)}</span>;
      },
    })),
    { ...id, onPhone: 'gone', from: 1_520 },
  ];
}
