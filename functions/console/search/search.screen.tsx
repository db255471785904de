import { LinkButton } from '../components/button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Card, Empty, Note, PageHead, Problem, Tabs } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { type ManagementFailure, type Settled, settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { FacetList } from './facet-list.tsx';
import { recordColumns } from './record-columns.tsx';
import { idOf } from './record-display.ts';
import { Facets, RecordSchema, RecordTypes, SearchResult } from './search-answers.ts';
import { SearchFields, SearchForm } from './search-form.tsx';
import { EXAMPLES, plainWords, type SearchQuery, searchIn, sentQuery, typeLabel } from './search-query.ts';

/** The records that a search shows; a download delivers all of them. */
const RECORDS_MAX = 10;

const PLACING = { codes: { 'invalid-query': 'q', forbidden: 'view' } };

/** Words mean the same for every type; fields do not. */
const keptQuery = (q: string): string | undefined => (q !== '' && !q.includes(':') ? q : undefined);

/** The records of one type that match a query, and the searchable fields. */
export const searchScreen: Screen = async (pageRequest) => {
  const { management, query } = pageRequest;
  const { items: types } = await management.get('schemas', RecordTypes);
  const search = searchIn(
    query,
    types.map(({ type }) => type),
  );
  const { type, q, view, add } = search;
  const isAsked = q !== '' && add === '';
  const dataPath = `data/${encodeURIComponent(type)}`;
  const [schema, result, facets] = await Promise.all([
    management.get(`schemas/${encodeURIComponent(type)}`, RecordSchema),
    isAsked
      ? settled(
          management.get(dataPath, SearchResult, {
            q: sentQuery(q),
            view,
            records: String(RECORDS_MAX),
            order: 'relevance',
          }),
        )
      : undefined,
    isAsked ? settled(management.get(`${dataPath}/facets`, Facets, { q: sentQuery(q), view })) : undefined,
  ]);
  const refused = result && !result.ok ? refusedForm(result.failure, PLACING) : ACCEPTED;
  return page(
    'Search',
    <>
      <PageHead
        title="Search"
        lead={`Previews are free: a search shows the best ${RECORDS_MAX} records and the number of matches.`}
      />
      <Tabs
        label="Record type"
        current={screenPath(pageRequest, 'search', { type, q: keptQuery(q) })}
        tabs={types.map(
          (one) =>
            [screenPath(pageRequest, 'search', { type: one.type, q: keptQuery(q) }), typeLabel(one.type)] as const,
        )}
      />
      <div class="beside">
        <div class="stack">
          <SearchForm action={screenPath(pageRequest, 'search')} search={search} schema={schema} refused={refused} />
          <Results pageRequest={pageRequest} search={search} result={result} refused={refused} />
        </div>
        <div class="stack">
          <FacetList pageRequest={pageRequest} search={search} facets={facets} />
          <SearchFields schema={schema} />
        </div>
      </div>
    </>,
    { status: refused.status },
  );
};

interface ResultsProps {
  readonly pageRequest: PageRequest;
  readonly search: SearchQuery;
  readonly result: Settled<SearchResult> | undefined;
  readonly refused: RefusedForm;
}

function Results({ pageRequest, search, result, refused }: ResultsProps) {
  if (result === undefined) return search.add === '' ? <Examples pageRequest={pageRequest} type={search.type} /> : null;
  if (!result.ok) return refused.failure ? <RefusalNote pageRequest={pageRequest} failure={refused.failure} /> : null;
  const { estimatedTotal, records } = result.value;
  if (estimatedTotal === 0) {
    const words = plainWords(search.q);
    return (
      <div class="card">
        <Empty title={words ? 'No record has all these words' : 'Nothing matches'}>
          {words && (
            <>
              <a
                href={screenPath(pageRequest, 'search', {
                  type: search.type,
                  q: words.join(' OR '),
                  view: search.view,
                })}
              >
                Search for any of them
              </a>
              {'. '}
            </>
          )}
          Words without a field search names, addresses, categories and descriptions. An asterisk matches the rest of a
          word: <code>name:hot*</code>
        </Empty>
      </div>
    );
  }
  const { type, q, view } = search;
  const download = screenPath(pageRequest, 'downloads/new', { type, q: sentQuery(q), view });
  return (
    <section class="card">
      <div class="head">
        <h2>Estimated total: {countOf(estimatedTotal, 'record')}</h2>
        <LinkButton label="Download all…" href={download} />
      </div>
      <DataTable
        caption={`The best ${countOf(records.length, 'record')}`}
        columns={recordColumns(pageRequest, search, records)}
        rows={records}
        keyOf={idOf}
      />
      {records.length < estimatedTotal && (
        <p class="pad hint">
          These are the best {records.length} of {countText(estimatedTotal)}. Narrow the search down, or{' '}
          <a href={download}>download all of them</a> and page through them.
        </p>
      )}
    </section>
  );
}

function RefusalNote({
  pageRequest,
  failure,
}: {
  readonly pageRequest: PageRequest;
  readonly failure: ManagementFailure;
}) {
  if (failure.code !== 'no-data-token') return <Problem failure={failure} />;
  return (
    <Note tone="warn" title={failure.detail}>
      Data tokens determine which views an account can use.{' '}
      <a href={screenPath(pageRequest, 'keys/data-tokens')}>Data tokens</a>
    </Note>
  );
}

function Examples({ pageRequest, type }: { readonly pageRequest: PageRequest; readonly type: string }) {
  const field = EXAMPLES[type]?.[0]?.split(':')[0];
  return (
    <Card title="Examples">
      <ul class="stack-s">
        {(EXAMPLES[type] ?? []).map((q) => (
          <li key={q}>
            <a class="mono" href={screenPath(pageRequest, 'search', { type, q })}>
              {q}
            </a>
          </li>
        ))}
      </ul>
      <p class="hint">
        All words are required. Combine terms with AND, OR and NOT (or a minus) and group them with parentheses. Quotes
        match a phrase, an asterisk matches the rest of a word
        {field && (
          <>
            , and <code>{field}:*</code> finds every record that has the field
          </>
        )}
        .
      </p>
    </Card>
  );
}
