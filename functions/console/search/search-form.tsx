import { Submit } from '../components/button.tsx';
import { Field, Select } from '../components/form.tsx';
import { countOf } from '../components/quantities.ts';
import type { RefusedForm } from '../pages/refused-form.ts';
import type { RecordSchema } from './search-answers.ts';
import { type SearchQuery, withField } from './search-query.ts';

const FORM = 'search';
const BOX = 'field-q';
const FIELDS = 'fields';
/** The most characters of a query. */
const QUERY_MAX = 8_192;

interface SearchFormProps {
  readonly action: string;
  readonly search: SearchQuery;
  readonly schema: RecordSchema;
  readonly refused: RefusedForm;
}

/** The query field. The service's error text is shown below it. */
export function SearchForm({ action, search, schema, refused: { wrong } }: SearchFormProps) {
  const { type, q, add } = search;
  return (
    <form class="card pad stack" id={FORM} method="get" action={action}>
      <input type="hidden" name="type" value={type} />
      <Field
        name="q"
        label="Query"
        type="search"
        value={add === '' ? q : withField(q, add)}
        error={wrong['q']}
        maxLength={QUERY_MAX}
        id={BOX}
        isCode
        isRequired
        completions={FIELDS}
      />
      <div class="row">
        <Submit kind="primary" label="Search" />
      </div>
      <details open={search.view !== '' || wrong['view'] !== undefined}>
        <summary>View</summary>
        <Select
          name="view"
          label="Fields to show for each record"
          value={search.view}
          options={viewOptions(schema)}
          error={wrong['view']}
        />
      </details>
    </form>
  );
}

/** The options of the view. The first view is the default. */
export const viewOptions = ({ views }: RecordSchema): (readonly [string, string])[] =>
  views.map(({ name, fields }, index) => [index === 0 ? '' : name, `${name}, ${countOf(fields.length, 'field')}`]);

/** The searchable fields. Choosing one adds it to the query, by the page's script or by the next page. */
export function SearchFields({ schema }: { readonly schema: RecordSchema }) {
  const { fields } = schema;
  return (
    <section class="card pad stack" id={FIELDS}>
      <div>
        <h2>Fields</h2>
        <p class="hint">{fields.length} fields. Choose one to add it to the query.</p>
      </div>
      <ul class="variables tall">
        {fields.map(({ name, type, list, searchedByDefault }) => (
          <li key={name}>
            <button
              class="plain mono"
              type="submit"
              form={FORM}
              formNoValidate
              name="add"
              value={name}
              data-inserts={`${name}:`}
              data-into={BOX}
            >
              {name}
            </button>{' '}
            <span class="hint">
              {type}
              {list && ', list'}
              {searchedByDefault && ', searched by default'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
