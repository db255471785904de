import { countText } from '../components/quantities.ts';
import type { Settled } from '../management/management.ts';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import type { Facets } from './search-answers.ts';
import { narrowed, type SearchQuery } from './search-query.ts';

interface FacetListProps {
  readonly pageRequest: PageRequest;
  readonly search: SearchQuery;
  /** Without them, the search is shown all the same. */
  readonly facets: Settled<Facets> | undefined;
}

/** The commonest values of a few fields, each of which narrows the search. */
export function FacetList({ pageRequest, search: { type, q, view }, facets }: FacetListProps) {
  if (!facets?.ok || facets.value.facets.length === 0) return null;
  const { estimatedTotal, sampled } = facets.value;
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
      {facets.value.facets.map(({ field, values }) => (
        <div key={field}>
          <h3>{field}</h3>
          <ul class="facet">
            {values.map(({ value, count }) => (
              <li key={value}>
                <a href={screenPath(pageRequest, 'search', { type, view, q: narrowed(q, field, value) })}>{value}</a>
                <span class="faint">{countText(count)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
