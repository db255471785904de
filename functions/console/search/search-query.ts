/** A search, as it stands in the address. */
export interface SearchQuery {
  readonly type: string;
  readonly q: string;
  /** Blank: all fields. */
  readonly view: string;
  /** A field that is being added; the query is not asked yet. */
  readonly add: string;
}

/** An unknown record type counts as not stated. @param types those that there are, the default first */
export function searchIn(query: URLSearchParams, types: readonly string[]): SearchQuery {
  const text = (name: string) => (query.get(name) ?? '').trim();
  const type = text('type');
  return {
    type: types.includes(type) ? type : (types[0] ?? ''),
    q: text('q'),
    view: text('view'),
    add: text('add'),
  };
}

/** The query with one more field, for the person to go on with its value. */
export const withField = (q: string, field: string): string => `${q === '' ? '' : `${q} AND `}${field}:`;

/** The query that finds one record. */
export const queryOfId = (id: string): string => `id:"${id.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** `Businesses`: a record type at the head of a tab. */
export const typeLabel = (type: string): string => `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;

/** Of each record type, a query to begin with. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  businesses: ['categories:hotels AND city:austin', 'name:coffee*', 'dateAdded:[2024-01 TO *]'],
  products: ['brand:northwind', 'prices.amountMin:<20', 'categories:garden AND -colors:red'],
  properties: ['numBedroom:>=4', 'prices.amountMin:[300000 TO 400000]', 'city:seattle OR city:austin'],
};
