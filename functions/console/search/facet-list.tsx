import { Icon } from '../components/icon.tsx';
import { countText } from '../components/quantities.ts';
import type { Settled } from '../management/management.ts';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import type { Facets } from './search-answers.ts';
import { narrowed, narrowingsOf, type SearchQuery } from './search-query.ts';

interface FacetListProps {
  readonly pageRequest: PageRequest;
  readonly search: SearchQuery;
  /** Without them, the search is shown all the same. */
  readonly facets: Settled<Facets> | undefined;
}

const NONE: Facets = { facets: [], estimatedTotal: 0, sampled: 0 };

/** The commonest values of a few fields, each of which narrows the search. */
export function FacetList({ pageRequest, search: { type, q, view }, facets }: FacetListProps) {
  const narrowings = narrowingsOf(q);
  const { facets: fields, estimatedTotal, sampled } = facets?.ok ? facets.value : NONE;
  if (narrowings.length === 0 && fields.length === 0) return null;
  const hrefOf = (query: string) => screenPath(pageRequest, 'search', { type, view, q: query });
  return (
    <section class="card pad stack">
      <div>
        <h2>Narrow down</h2>
        {sampled < estimatedTotal && (
          <p class="hint">
            Counted in {countText(sampled)} of the {countText(estimatedTotal)} records.
          </p>
        )}
      </div>
      {narrowings.length > 0 && (
        <ul class="chips" aria-label="Narrowed down to">
          {narrowings.map(({ field, value, without }) => (
            <li key={`${field} ${value}`}>
              <a class="chip" href={hrefOf(without)} aria-label={`Remove ${field} ${value}`}>
                {field}: {value} <Icon name="cross" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {fields.map(({ field, values }) => (
        <div key={field}>
          <h3>{field}</h3>
          <ul class="facet">
            {values.map(({ value, count }) => (
              <li key={value}>
                <a href={hrefOf(narrowed(q, field, value))}>{value}</a>
                <span class="faint">{countText(count)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
