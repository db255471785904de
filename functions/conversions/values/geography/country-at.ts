import { iso31662Of } from './iso-3166-2.ts';
import { isOnEarth, type Point } from './point.ts';

/** The country and subdivision at a point, as ISO 3166 names them. */
export interface CountryAt {
  /** ISO 3166-1 alpha-2, or XK for Kosovo. A territory with a code of its own goes by that: PR, not US. */
  readonly country: string;
  /** ISO 3166-2. Only where the available borders divide the country: GB-SCT or US-AK, but not US-CA. */
  readonly subdivision?: string;
}

/** Codes of areas that are no present country: groups of countries, and parts with a code for post or customs. */
const ASSIGNED: ReadonlySet<string | undefined> = new Set(['official', 'usrAssn']);

/** The country in which a point lies; undefined at sea. The borders of all countries load with the first call. */
export async function countryAt(point: Point): Promise<CountryAt | undefined> {
  const regions = await regionsAt(point);
  const [country] = countriesOf(regions);
  if (country === undefined) return undefined;
  const subdivision = regions.map(({ wikidata }) => iso31662Of(wikidata)).find((code) => code !== undefined);
  // The code may be a subdivision of another country than the one in addresses at this point.
  return subdivision?.startsWith(`${country}-`) ? { country, subdivision } : { country };
}

/**
 * All countries that an address at this point may name, the most specific first: PR and US for San Juan, UA and RU for
 * Sevastopol. Borders are simplified: they can be wrong by a few hundred metres on land, and run off the coast at sea.
 */
export async function countriesAt(point: Point): Promise<readonly string[]> {
  return countriesOf(await regionsAt(point));
}

interface Region {
  readonly wikidata: string;
  readonly iso1A2: string | undefined;
  readonly isoStatus: string | undefined;
}

function countriesOf(regions: readonly Region[]): readonly string[] {
  const placed = regions.flatMap(({ wikidata }) => PLACED_BY_ISO[wikidata] ?? []);
  const assigned = regions.flatMap(({ iso1A2, isoStatus }) =>
    iso1A2 !== undefined && ASSIGNED.has(isoStatus) ? iso1A2 : [],
  );
  return [...new Set([...placed, ...assigned])];
}

/** The borders follow the actual government; ISO 3166 assigns these regions to another country. */
const PLACED_BY_ISO: Readonly<Record<string, string>> = { Q7835: 'UA', Q23681: 'CY' };

async function regionsAt({ latitude, longitude }: Point): Promise<readonly Region[]> {
  if (!isOnEarth({ latitude, longitude })) return [];
  const { featuresContaining } = await import('@rapideditor/country-coder');
  return featuresContaining([longitude, latitude]).map(({ properties }) => properties);
}
