/** A search, as the address contains it. */
export interface SearchQuery {
  readonly type: string;
  readonly q: string;
  /** The view; empty for all fields. */
  readonly view: string;
  /** A field to add to the query before it is searched. */
  readonly add: string;
}

/**
 * Reads the search from the address. An unknown record type is ignored. @param types the record types, the default
 * first
 */
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

const WORD = /^[^\s:"()[\]{}*?<>=+\-!\\/^~&|]+$/u;
const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/** The words of a query without fields and operators, if it has several; undefined for any other query. */
export function plainWords(q: string): readonly string[] | undefined {
  const all = q.split(/\s+/);
  return all.length > 1 && all.every((word) => WORD.test(word) && !OPERATORS.has(word)) ? all : undefined;
}

/** A part of a query: a word, phrase or range, with or without a field, perhaps negated. */
const PART = /-?(?:[\w.]+:)?(?:[<>]=?)?(?:"(?:[^"\\]|\\.)*"|[[{][^\]}"()]*[\]}]|[^\s"()[\]{}<>]+)/gu;

/**
 * Returns the query that is sent. All words, phrases and fields of the box are required, where the API takes any of them.
 * A query with OR, NOT or parentheses means what it says.
 */
export function sentQuery(q: string): string {
  const parts = q.match(PART) ?? [];
  const isWhole = parts.join('').replaceAll(/\s/g, '') === q.replaceAll(/\s/g, '');
  if (!isWhole || parts.some((part) => part === 'OR' || part === 'NOT' || /^[+!&|]|:$/.test(part))) return q;
  const required = parts.filter((part) => part !== 'AND');
  return required.length > 1 ? required.join(' AND ') : q;
}

/** Returns the query with another field, for the person to add its value. */
export const withField = (q: string, field: string): string => `${q === '' ? '' : `${q} AND `}${field}:`;

const quotedText = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** A value that a field must have, at the end of a query. */
export interface Narrowing {
  readonly field: string;
  readonly value: string;
  /** The query without it. */
  readonly without: string;
}

const LAST_NARROWING = /^(.*\S) AND ([\w.]+):"((?:[^"\\]|\\.)*)"$/su;

interface QueryParts {
  /** One condition, or several that are all required. */
  readonly base: string;
  /** The required values of fields after it. */
  readonly terms: readonly { readonly field: string; readonly value: string }[];
}

/** Splits a query before the required values of fields at its end. */
function partsOf(q: string): QueryParts {
  let base = q;
  const terms: QueryParts['terms'][number][] = [];
  for (let last = LAST_NARROWING.exec(q); last && isBalanced(last[1] ?? ''); last = LAST_NARROWING.exec(base)) {
    const [, before = '', field = '', quoted = ''] = last;
    terms.unshift({ field, value: quoted.replaceAll(/\\(.)/gsu, '$1') });
    base = before;
  }
  return isOne(base) ? { base, terms } : { base: q, terms: [] };
}

/** Returns whether more conditions can follow with AND. */
const isOne = (q: string): boolean => isWrapped(q) || !/\b(?:OR|NOT)\b|[()]|&&|\|\|/.test(q);

/** Returns whether a text closes all its parentheses and quotes. */
function isBalanced(text: string): boolean {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, '');
  const parentheses = bare.match(/[()]/g) ?? [];
  let depth = 0;
  return !bare.includes('"') && parentheses.every((one) => (depth += one === '(' ? 1 : -1) >= 0) && depth === 0;
}

/** Returns whether the parentheses at both ends belong together. */
const isWrapped = (q: string): boolean => q.startsWith('(') && q.endsWith(')') && isBalanced(q.slice(1, -1));

const joined = (base: string, terms: QueryParts['terms']): string =>
  [base, ...terms.map(({ field, value }) => `${field}:${quotedText(value)}`)].join(' AND ');

/** Returns the query for the matches that also have a value in a field. */
export function narrowed(q: string, field: string, value: string): string {
  const { base, terms } = partsOf(q);
  const sent = sentQuery(base);
  return joined(isOne(sent) ? sent : `(${sent})`, [...terms, { field, value }]);
}

/** Returns the values of fields at the end of a query, in their order: those that `narrowed` has added, or a person. */
export function narrowingsOf(q: string): readonly Narrowing[] {
  const { base, terms } = partsOf(q);
  return terms.map((one) => {
    const others = terms.filter((other) => other !== one);
    return { ...one, without: joined(others.length === 0 && isWrapped(base) ? base.slice(1, -1) : base, others) };
  });
}

/** Returns the query for one record. */
export const queryOfId = (id: string): string => `id:${quotedText(id)}`;

/** Returns the label of a record type: `Businesses`. */
export const typeLabel = (type: string): string => `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;

/** Example queries by record type. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  businesses: ['categories:hotels AND city:austin', 'name:coffee*', 'dateAdded:[2024-01 TO *]'],
  products: ['brand:northwind', 'prices.amountMin:<20', 'categories:garden AND -colors:red'],
  properties: ['numBedroom:>=4', 'prices.amountMin:[300000 TO 400000]', 'city:seattle OR city:austin'],
};
