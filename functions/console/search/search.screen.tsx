import { type Column, DataTable } from '../components/data-table.tsx';
import { Empty, Note, PageHead, Problem, Tabs } from '../components/page-parts.tsx';
import { countOf } from '../components/quantities.ts';
import { type Aside, aside, type ManagementFailure } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { page, type Screen, screenPath, type Visit } from '../pages/screen.ts';
import { Found, type FoundRecord, RecordSchema, RecordTypes } from './search-answers.ts';
import { SearchFields, SearchForm } from './search-form.tsx';
import { EXAMPLES, type SearchQuery, searchIn, typeLabel } from './search-query.ts';
import { cut, idOf, mainFieldsOf, valueText } from './shown-records.ts';

/** Of a search; more are delivered by a download. */
const SHOWN = 10;

const PLACING = { codes: { 'invalid-query': 'q', forbidden: 'view' } };

/** Records of one type that a query finds, and what can be asked for. */
export const searchScreen: Screen = async (visit) => {
  const { management, query } = visit;
  const { items: types } = await management.get('schemas', RecordTypes);
  const asked = searchIn(
    query,
    types.map(({ type }) => type),
  );
  const { type, q, view, add } = asked;
  const isAsked = q !== '' && add === '';
  const [schema, found] = await Promise.all([
    management.get(`schemas/${encodeURIComponent(type)}`, RecordSchema),
    isAsked
      ? aside(management.get(`data/${encodeURIComponent(type)}`, Found, { q, view, records: String(SHOWN) }))
      : undefined,
  ]);
  const refused = found && !found.ok ? refusedForm(found.failure, PLACING) : ACCEPTED;
  return page(
    'Search',
    <>
      <PageHead
        title="Search"
        lead={`Looking is free: a search shows its first ${SHOWN} records and how many match.`}
      />
      <Tabs
        label="Record type"
        current={screenPath(visit, 'search', { type })}
        tabs={types.map((one) => [screenPath(visit, 'search', { type: one.type }), typeLabel(one.type)] as const)}
      />
      <div class="beside">
        <div class="stack">
          <SearchForm action={screenPath(visit, 'search')} asked={asked} schema={schema} refused={refused} />
          <Results visit={visit} asked={asked} found={found} refused={refused} />
        </div>
        <SearchFields schema={schema} />
      </div>
    </>,
    { status: refused.status },
  );
};

interface ResultsProps {
  readonly visit: Visit;
  readonly asked: SearchQuery;
  readonly found: Aside<Found> | undefined;
  readonly refused: RefusedForm;
}

function Results({ visit, asked, found, refused }: ResultsProps) {
  if (found === undefined) return asked.add === '' ? <Examples visit={visit} type={asked.type} /> : null;
  if (!found.ok) return refused.failure ? <Refused visit={visit} failure={refused.failure} /> : null;
  const { estimatedTotal, records } = found.value;
  if (estimatedTotal === 0) {
    return (
      <div class="card">
        <Empty title="Nothing matches">
          Words without a field are searched in names, addresses, categories, descriptions and the like. An asterisk
          stands for the rest of a word: <code>name:hot*</code>
        </Empty>
      </div>
    );
  }
  const { type, q, view } = asked;
  return (
    <section class="card">
      <div class="head">
        <h2>Estimated total: {countOf(estimatedTotal, 'record')}</h2>
        <a class="button" href={screenPath(visit, 'downloads/new', { type, q, view })}>
          Download all…
        </a>
      </div>
      <DataTable
        caption={`The first ${countOf(records.length, 'record')}`}
        columns={columnsOf(visit, asked, records)}
        rows={records}
        keyOf={idOf}
      />
    </section>
  );
}

function Refused({ visit, failure }: { readonly visit: Visit; readonly failure: ManagementFailure }) {
  if (failure.code !== 'no-data-token') return <Problem failure={failure} />;
  return (
    <Note tone="warn" title={failure.detail}>
      A downloads token says which views an account has. <a href={screenPath(visit, 'keys/data-tokens')}>Its tokens</a>
    </Note>
  );
}

function Examples({ visit, type }: { readonly visit: Visit; readonly type: string }) {
  return (
    <section class="card pad stack">
      <h2>For example</h2>
      <ul class="stack-s">
        {(EXAMPLES[type] ?? []).map((q) => (
          <li key={q}>
            <a class="mono" href={screenPath(visit, 'search', { type, q })}>
              {q}
            </a>
          </li>
        ))}
      </ul>
      <p class="hint">
        Terms are joined by AND, OR and NOT or a minus, and grouped by parentheses. Quotes keep words together, an
        asterisk stands for the rest of a word, and <code>website:*</code> finds every record that has the field.
      </p>
    </section>
  );
}

/** What a cell holds, and the hint that shows more of it: neither has room for a long text. */
const CELL_MAX = 120;
const HINT_MAX = 400;

/** Of the columns after the first one. */
const ON_PHONE = ['first', 'first', 'second'] as const;

function columnsOf(visit: Visit, { type, view }: SearchQuery, records: readonly FoundRecord[]): Column<FoundRecord>[] {
  const linked = (record: FoundRecord, text: string) => (
    <a
      href={screenPath(visit, `search/${encodeURIComponent(type)}/record`, { id: idOf(record), view })}
      title={cut(text, HINT_MAX)}
    >
      {cut(text, CELL_MAX)}
    </a>
  );
  const [first, ...others] = mainFieldsOf(records);
  const id: Column<FoundRecord> = {
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
      cell: (record: FoundRecord) => {
        const text = valueText(record[name]);
        return text === '' ? '–' : <span title={cut(text, HINT_MAX)}>{cut(text, CELL_MAX)}</span>;
      },
    })),
    { ...id, onPhone: 'gone' },
  ];
}
