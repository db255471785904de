import { formatAddress } from 'localized-address-format';

export interface AddressParts {
  /** Street, house and the other lines above the city. */
  readonly streetLines: readonly string[];
  readonly city?: string;
  /** State, province or county. */
  readonly province?: string;
  readonly postalCode?: string;
}

/** Matches text in ASCII and Latin letters alone: such an address is written in the order for foreign readers. */
const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

/**
 * The lines of an address in the format of its country, without the name of the country. Undefined if the format has no
 * position for one of the parts: an address that lacks a part would be another address.
 */
export function addressLines(parts: AddressParts, country: string): string[] | undefined {
  const { streetLines, city = '', province = '', postalCode = '' } = parts;
  const written = [...streetLines, city, province, postalCode].filter((part) => part !== '');
  const lines = formatAddress(
    {
      postalCountry: country,
      addressLines: [...streetLines],
      locality: city,
      administrativeArea: province,
      postalCode,
    },
    written.every((part) => LATIN.test(part)) ? 'latin' : 'local',
  );
  const all = lines.join('\n');
  return written.every((part) => all.includes(part)) ? lines : undefined;
}

type Slot = 'C' | 'S' | 'Z';
/** Characters of the private use area, which no pattern contains. */
const MARKS: Readonly<Record<string, Slot>> = { '\ue001': 'C', '\ue002': 'S', '\ue003': 'Z' };
const STREET = '\ue000';

/**
 * The lines below the street in the format of the country: one entry for each line or part between commas, such as
 * `[['C'], ['S', 'Z']]`. Empty for countries that write the street last.
 */
export function patternBelowStreet(country: string, { province }: { readonly province: boolean }): Slot[][] {
  const [city, state, postalCode] = Object.keys(MARKS);
  const lines = formatAddress(
    {
      postalCountry: country,
      addressLines: [STREET],
      locality: city ?? '',
      administrativeArea: province ? (state ?? '') : '',
      postalCode: postalCode ?? '',
    },
    'latin',
  );
  if (lines[0] !== STREET) return [];
  return lines
    .slice(1)
    .flatMap((line) => line.split(','))
    .map((part) => Array.from(part).flatMap((character) => MARKS[character] ?? []))
    .filter((slots) => slots.length > 0);
}
