import usAddresses from 'parse-address';
import { tidyLines } from '../texts/tidy.ts';
import { type AddressParts, patternBelowStreet } from './address-lines.ts';
import { readPostcode } from './postcodes.ts';

const CHARACTERS_MAX = 500;
const PARTS_MAX = 8;
const WORDS_MAX = 8;

const US_STATES = new Set(
  `AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
   SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP`.split(/\s+/),
);

type SlotValues = { -readonly [slot in 'C' | 'S' | 'Z']?: string };

/**
 * Splits an address in one line: every word of it, except the name of its country at the end, is in exactly one part,
 * and none is added. Undefined if the text does not end as addresses of the country do, with a postcode that is valid
 * in the country.
 */
export function splitAddress(
  text: string,
  country: string,
  isCountry: (text: string) => boolean = () => false,
): AddressParts | undefined {
  if (text.length > CHARACTERS_MAX) return undefined;
  const parts = tidyLines(text.replaceAll(',', '\n'));
  if (parts.length > PARTS_MAX) return undefined;
  if (parts.length > 1 && isCountry(parts.at(-1) ?? '')) parts.pop();
  for (const pattern of knownPatterns(country)) {
    const streetLines = parts.slice(0, -pattern.length);
    if (streetLines.length === 0) continue;
    const match = matchAll(pattern, parts.slice(-pattern.length), country);
    if (match) return { streetLines, ...named(match) };
  }
  return country === 'US' ? splitWithoutCommas(parts.join(', ')) : undefined;
}

/**
 * Matches the city and its postcode on separate lines, or on one. The province may be missing, but not if the pattern
 * has it between city and postcode: there the rest would read as another address, with a city named `CA`.
 */
function patternsOf(country: string): (readonly string[])[] {
  const [whole, withoutProvince] = [true, false].map((province) =>
    patternBelowStreet(country, { province }).map((slots) => slots.join('')),
  );
  if (whole === undefined || withoutProvince === undefined) return [];
  const patterns = whole.join('').includes('SZ') ? [whole] : [whole, withoutProvince];
  return [...patterns, ...patterns.filter(({ length }) => length > 1).map((pattern) => [pattern.join('')])].filter(
    (pattern) => pattern.join('').includes('Z') && pattern.join('').includes('C'),
  );
}

const patterns = new Map<string, (readonly string[])[]>();
function knownPatterns(country: string): (readonly string[])[] {
  if (!/^[A-Z]{2}$/.test(country)) return [];
  const cached = patterns.get(country) ?? patternsOf(country);
  patterns.set(country, cached);
  return cached;
}

const named = ({ C, S, Z }: SlotValues): Omit<AddressParts, 'streetLines'> => ({
  ...(C === undefined ? {} : { city: C }),
  ...(S === undefined ? {} : { province: S }),
  ...(Z === undefined ? {} : { postalCode: Z }),
});

function matchAll(pattern: readonly string[], parts: readonly string[], country: string): SlotValues | undefined {
  let all: SlotValues = {};
  for (const [index, slots] of pattern.entries()) {
    const words = (parts[index] ?? '').split(' ');
    const [assignment, ...others] = words.length > WORDS_MAX ? [] : matches(slots, words, country);
    if (assignment === undefined || others.length > 0) return undefined;
    all = { ...all, ...assignment };
  }
  return all;
}

/** All ways to assign the words to the slots. */
function matches(slots: string, words: readonly string[], country: string): SlotValues[] {
  const slot = slots[0] as 'C' | 'S' | 'Z' | undefined;
  if (slot === undefined) return words.length === 0 ? [{}] : [];
  const assignments: SlotValues[] = [];
  for (let count = 1; count <= words.length; count++) {
    const value = valueFor(slot, words.slice(0, count).join(' '), country);
    if (value === undefined) continue;
    for (const rest of matches(slots.slice(1), words.slice(count), country))
      assignments.push({ [slot]: value, ...rest });
  }
  return assignments;
}

function valueFor(slot: 'C' | 'S' | 'Z', text: string, country: string): string | undefined {
  if (slot === 'C') return /^[^\d]*\p{L}[^\d]*$/u.test(text) ? text : undefined;
  if (slot === 'S') {
    const code = text.replace(/^\((.*)\)$/, '$1');
    return country === 'US' ? (US_STATES.has(code) ? code : undefined) : /^[A-Z]{2,3}$/.test(code) ? code : undefined;
  }
  const postcode = readPostcode(text, country);
  return postcode?.kind === 'read' ? postcode.value : undefined;
}

/**
 * Splits `1005 N Gravenstein Hwy Sebastopol CA 95472`: the parser determines where the street ends; its own spelling is
 * not used.
 */
function splitWithoutCommas(whole: string): AddressParts | undefined {
  const [, before = '', code = '', postalCode = ''] =
    /^(.*[^\s,])[ ,]+([A-Z]{2})[ ,]+(\d{5}(?:-\d{4})?)$/.exec(whole) ?? [];
  const { city, state } = before === '' ? {} : (usAddresses.parseLocation(whole) ?? {});
  if (city === undefined || state === undefined) return undefined;
  const street = before.slice(0, -city.length).replace(/[\s,]+$/, '');
  const isTail =
    before.slice(-city.length).toLowerCase() === city.toLowerCase() && /[\s,]$/.test(before.slice(0, -city.length));
  if (!isTail || code !== state || !/\d/.test(street)) return undefined;
  return {
    streetLines: tidyLines(street.replaceAll(',', '\n')),
    city: before.slice(-city.length),
    province: code,
    postalCode,
  };
}
