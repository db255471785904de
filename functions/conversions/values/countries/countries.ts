import { nearest } from '../quantities/nearest.ts';
import { EU_MEMBERS, MORE_NAMES } from './country-names.ts';

export interface Country {
  readonly alpha2: string;
  readonly alpha3: string;
  /** Three digits. */
  readonly numeric: string;
  /** The English name. */
  readonly name: string;
  /** The currency that prices there are in: ISO 4217. Antarctica has none. */
  readonly currency?: string;
  /** All currencies that are legal tender. */
  readonly currencies: readonly string[];
  readonly euMember: boolean;
}

export interface Countries {
  /** The country of an alpha-2, alpha-3 or numeric code, in any case. */
  of(code: string): Country | undefined;
  /** The country of a code or of a name in any of 75 languages, or the alpha-2 codes of all possible countries. */
  read(text: string, locale?: string): Country | readonly string[];
  /** The name in the language of the locale; in English if there is none. */
  nameOf(alpha2: string, locale?: string): string | undefined;
  /**
   * The alpha-2 code of the country whose name, in English or in the language of the locale, is nearly spelled like the
   * text.
   */
  suggest(text: string, locale?: string): string | undefined;
}

/** The longest text that is looked up. No country name is longer. */
const NAME_CHARACTERS_MAX = 100;

let loading: Promise<Countries> | undefined;
/** Loads the lists on the first call. */
export const loadCountries = (): Promise<Countries> => (loading ??= load());

async function load(): Promise<Countries> {
  const [{ default: iso }, { countries: facts }] = await Promise.all([
    import('i18n-iso-countries'),
    import('countries-list'),
  ]);
  const byCode = new Map<string, Country>();
  for (const [alpha2, alpha3] of Object.entries(iso.getAlpha2Codes())) {
    const currencies = Object.hasOwn(facts, alpha2) ? facts[alpha2 as keyof typeof facts].currency : [];
    const country = {
      alpha2,
      alpha3,
      numeric: (iso.alpha2ToNumeric(alpha2) ?? '').padStart(3, '0'),
      name: iso.getName(alpha2, 'en') ?? alpha2,
      ...(currencies[0] !== undefined && { currency: currencies[0] }),
      currencies,
      euMember: EU_MEMBERS.has(alpha2),
    };
    for (const code of [alpha2, alpha3, country.numeric]) byCode.set(code, country);
  }
  const namesIn = new Map(
    iso.langs().map((language) => [language, namesOf(iso.getNames(language, { select: 'all' }))]),
  );
  const aliases = Object.entries(facts).map(([alpha2, { alias = [] }]): [string, readonly string[]] => [alpha2, alias]);
  addNames(namesIn.get('en') ?? new Map<string, Set<string>>(), [...aliases, ...Object.entries(MORE_NAMES)], byCode);
  const nameOf = (alpha2: string, locale = 'en') =>
    iso.getName(alpha2, languageOf(locale)) ?? iso.getName(alpha2, 'en');
  return lookups(byCode, namesIn, nameOf);
}

/** The alpha-2 codes by folded name. */
type Names = Map<string, Set<string>>;

function namesOf(names: Readonly<Record<string, readonly string[]>>): Names {
  const codesByName: Names = new Map();
  addNames(codesByName, Object.entries(names));
  return codesByName;
}

function addNames(
  names: Names,
  more: readonly (readonly [alpha2: string, names: readonly string[]])[],
  countries?: ReadonlyMap<string, unknown>,
): void {
  for (const [alpha2, each] of more) {
    if (countries && !countries.has(alpha2)) continue;
    for (const name of each.map(folded)) names.set(name, (names.get(name) ?? new Set()).add(alpha2));
  }
}

function lookups(
  byCode: ReadonlyMap<string, Country>,
  namesIn: ReadonlyMap<string, Names>,
  nameOf: Countries['nameOf'],
): Countries {
  const everywhere: Names = new Map();
  for (const names of namesIn.values()) {
    for (const [name, codes] of names) everywhere.set(name, new Set([...(everywhere.get(name) ?? []), ...codes]));
  }
  const of = (code: string) => byCode.get(code) ?? byCode.get(code.toUpperCase());
  const namesFor = (locale: string) => namesIn.get(languageOf(locale));
  return {
    of,
    nameOf,
    read(text, locale = 'en') {
      const trimmed = text.trim();
      if (trimmed.length > NAME_CHARACTERS_MAX) return [];
      const country = of(trimmed);
      if (country) return country;
      const name = folded(trimmed);
      const codes = namesFor(locale)?.get(name) ?? namesIn.get('en')?.get(name) ?? everywhere.get(name) ?? [];
      const [only, other] = codes;
      return (other === undefined && only !== undefined && byCode.get(only)) || [...codes].sort();
    },
    suggest(text, locale = 'en') {
      if (text.length > NAME_CHARACTERS_MAX) return undefined;
      const name = folded(text);
      const choices = [...(namesIn.get('en') ?? []), ...(namesFor(locale) ?? [])];
      const single = choices.flatMap(([each, [only, other]]): [string, string][] =>
        other === undefined && only !== undefined ? [[each, only]] : [],
      );
      return nearest(name, single, name.length < 4 ? 0 : name.length < 8 ? 1 : 2);
    },
  };
}

const languageOf = (locale: string): string => locale.split('-')[0] ?? 'en';

/** The name without accents, case, punctuation and the English article. */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}
