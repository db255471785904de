import type { DataRecord, RecordType } from '../schemas/schema.ts';
import { type PreviewDeps, refusingTooManyTerms } from './preview.ts';
import type { Search } from './read-search.ts';

/** The fields by which people narrow a search, if the view has them. */
const FACET_FIELDS: Readonly<Record<RecordType, readonly string[]>> = {
  businesses: ['categories', 'city', 'province', 'country'],
  products: ['brand', 'categories', 'manufacturer', 'colors'],
  properties: ['propertyType', 'city', 'province', 'country'],
};

/** The records from which facets are counted, at even distances among the matches. */
export const SAMPLE_RECORDS = 100;
const VALUES_MAX = 5;
/** Longer values are descriptions. */
const VALUE_CHARACTERS_MAX = 80;

interface Facet {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/**
 * The commonest values of a few fields among records, each counted once per record. A value that all of them have narrows
 * nothing and is left out.
 */
export function facetsOf(type: RecordType, fields: readonly string[], records: readonly DataRecord[]): Facet[] {
  return FACET_FIELDS[type].flatMap((field) => {
    const values = fields.includes(field) ? commonest(records.map((record) => textsIn(record[field]))) : [];
    return values.length === 0 ? [] : [{ field, values }];
  });
}

/** The facets of the records that match a search, from a sample of them. */
export async function sampledFacets({ recentIndex, segments }: PreviewDeps, { type, query, view }: Search) {
  const { segments: searched } = await recentIndex.current(type);
  const { total, records } = await refusingTooManyTerms(segments.sample(query, SAMPLE_RECORDS, searched));
  const sample = records.map((text) => JSON.parse(text) as DataRecord);
  return { estimatedTotal: total, sampled: sample.length, facets: facetsOf(type, view.fields, sample) };
}

const textsIn = (value: unknown): string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string' && text.length <= VALUE_CHARACTERS_MAX);

function commonest(lists: readonly (readonly string[])[]): Facet['values'] {
  const counts = new Map<string, number>();
  for (const list of lists) for (const value of new Set(list)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .filter(({ count }) => count < lists.length)
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, VALUES_MAX);
}
