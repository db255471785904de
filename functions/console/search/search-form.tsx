import { Choice, Field } from '../components/form.tsx';
import { countOf } from '../components/quantities.ts';
import type { RefusedForm } from '../pages/refused-form.ts';
import type { RecordSchema } from './search-answers.ts';
import { type SearchQuery, withField } from './search-query.ts';

const FORM = 'search';
const BOX = 'field-q';
/** The most that a query may be. */
const QUERY_MAX = 8_192;

interface SearchFormProps {
  readonly action: string;
  readonly asked: SearchQuery;
  readonly schema: RecordSchema;
  readonly refused: RefusedForm;
}

/** The query box. What is wrong with a query stands below it, in the words of the service. */
export function SearchForm({ action, asked, schema, refused: { wrong } }: SearchFormProps) {
  const { type, q, add } = asked;
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
      />
      <Choice
        name="view"
        label="View"
        value={asked.view}
        options={viewOptions(schema)}
        hint="Which fields a record is shown with."
        error={wrong['view']}
      />
      <div class="row">
        <button class="button primary" type="submit">
          Search
        </button>
      </div>
    </form>
  );
}

/** The first view is the one of a query that states none. */
export const viewOptions = ({ views }: RecordSchema): (readonly [string, string])[] =>
  views.map(({ name, fields }, index) => [index === 0 ? '' : name, `${name}, ${countOf(fields.length, 'field')}`]);

/** What can be asked for. A field is put into the query, by the page's script or by the next page. */
export function SearchFields({ schema }: { readonly schema: RecordSchema }) {
  const { fields } = schema;
  return (
    <section class="card pad stack">
      <div>
        <h2>Fields</h2>
        <p class="hint">
          {fields.length} of them. Choose one to put it into the query. Words alone are searched in those with a dot.
        </p>
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
              {list && ', several'}
              {searchedByDefault && <span title="Words alone are searched here"> •</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
