import { Code, Facts, PageHead } from '../components/page-parts.tsx';
import { ManagementFailure } from '../management/management.ts';
import { page, type Screen, screenPath } from '../pages/screen.ts';
import { cut, type DisplayField, fieldsOf, idOf, titleOf, withinLimit } from './record-display.ts';
import { SearchResult } from './search-answers.ts';
import { queryOfId, typeLabel } from './search-query.ts';

/** The most objects of one field on the page; the JSON has all of them. */
const OBJECTS_MAX = 20;
/** The most characters of a record's values, and of its JSON, on the page. */
const TEXT_MAX = 16_384;
const TITLE_MAX = 200;

/** One record with all fields of the view. */
export const recordScreen: Screen = async (pageRequest) => {
  const { management, path, query } = pageRequest;
  const type = path['type'] ?? '';
  const search = { q: queryOfId(query.get('id') ?? ''), view: query.get('view') ?? '', records: '1' };
  const { records } = await management.get(`data/${encodeURIComponent(type)}`, SearchResult, search);
  const [record] = records;
  if (!record) throw new ManagementFailure({ status: 404, code: 'not-found', detail: 'There is no such record.' });
  const text = JSON.stringify(record, undefined, 2);
  const title = cut(titleOf(record), TITLE_MAX);
  const { fields, isCut } = withinLimit(fieldsOf(record), TEXT_MAX);
  return page(
    title,
    <>
      <PageHead
        title={title}
        lead={<span class="mono">{idOf(record)}</span>}
        under={[screenPath(pageRequest, 'search', { type }), typeLabel(type)]}
      />
      <div class="stack">
        <section class="card pad">
          <Facts facts={Object.fromEntries(fields.map((field) => [field.name, <Values field={field} />]))} />
          {isCut && <p class="hint">The record is longer. Download it to see all of it.</p>}
        </section>
        <details class="card pad">
          <summary>As JSON</summary>
          {text.length > TEXT_MAX ? (
            <p class="muted">The record is too long to show here. Download it instead.</p>
          ) : (
            <Code id="json" text={text} label="The record as JSON" />
          )}
        </details>
      </div>
    </>,
  );
};

function Values({ field }: { readonly field: DisplayField }) {
  if (field.kind === 'values') {
    const [first, ...others] = field.values;
    if (others.length === 0) return <>{first}</>;
    return (
      <ul>
        {field.values.map((value) => (
          <li key={value}>{value}</li>
        ))}
      </ul>
    );
  }
  return (
    <ul class="stack-s">
      {field.objects.slice(0, OBJECTS_MAX).map((members) => (
        <li key={JSON.stringify(members)}>
          {members.map(([name, text], index) => (
            <span key={name}>
              {index > 0 && ' · '}
              <span class="faint">{name}</span> {text}
            </span>
          ))}
        </li>
      ))}
      {field.objects.length > OBJECTS_MAX && <li class="faint">and {field.objects.length - OBJECTS_MAX} more</li>}
    </ul>
  );
}
