import { placesOf } from '../fields/fields.ts';
import { writeGeohash } from '../values/coordinates/cell-codes.ts';
import { splitLegalForm } from '../values/texts/legal-forms.ts';
import { coordinateIn } from './place.ts';
import { textAt, textOf } from './record/fields.ts';
import { countryCodeIn, gtinIn, phoneIn, webHostIn } from './record/identity.ts';
import type { Subject } from './record/subject.ts';

/** The cell size, about 600 m: two sources seldom place one business further apart. */
const NEIGHBOURHOOD_CHARACTERS = 6;

/**
 * Keys that records of the same thing share, whatever their source: sorted, each with its kind of evidence as prefix.
 * Every key is sufficient evidence alone; a name, which many share, is combined with a place or a brand.
 */
export async function matchKeysOf(subject: Subject): Promise<string[]> {
  const keys = await KEYS[subject.type](subject);
  return [...new Set(keys.flatMap((key) => key ?? []))].sort();
}

type Keys = (subject: Subject) => Promise<readonly (string | undefined)[]>;

const KEYS: Readonly<Record<Subject['type'], Keys>> = {
  business: async (subject) => {
    const country = await countryCodeIn(subject);
    const written = textOf(subject.fields, 'name')?.value;
    const name = written && folded(splitLegalForm(written, country)?.name ?? written);
    const mail = textOf(subject.fields, 'email')?.value.toLowerCase();
    return [
      await phoneKey(subject),
      await domainKey(subject),
      key('email', mail?.includes('@') ? mail : undefined),
      key('name', name, country, postcodeIn(subject)),
      key('name', name, neighbourhood(subject)),
    ];
  },
  product: async (subject) => {
    const { fields } = subject;
    const brand = folded(textOf(fields, 'brand')?.value ?? '');
    return [
      key('gtin', gtinIn(subject)?.value.gtin?.gtin14),
      key('part', brand, folded(textOf(fields, 'mpn')?.value ?? '')),
      key('name', brand, folded(textOf(fields, 'name')?.value ?? '')),
    ];
  },
  property: async (subject) => [
    key('listing', folded(textOf(subject.fields, 'mlsNumber')?.value ?? '')),
    key(
      'address',
      folded(textAt(subject.fields, STREET)?.value ?? ''),
      await countryCodeIn(subject),
      postcodeIn(subject),
    ),
  ],
};

/** The longest part of a key. No name or address is longer, and longer keys do not fit into an index. */
const PART_CHARACTERS_MAX = 300;

/** A key; undefined unless all parts are present. Folded parts contain no bar. */
function key(kind: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const isUsable = (part = '') => part !== '' && part.length <= PART_CHARACTERS_MAX && part.isWellFormed();
  return parts.every(isUsable) ? `${kind}:${parts.join('|')}` : undefined;
}

async function phoneKey(subject: Subject): Promise<string | undefined> {
  const number = await phoneIn(subject);
  return number?.value.valid ? key('phone', number.value.e164) : undefined;
}

/** Sites that host pages of very many businesses. */
const SHARED_SITES: ReadonlySet<string> = new Set(
  `booking.com business.site facebook.com foursquare.com google.com instagram.com linkedin.com linktr.ee opentable.com
  pinterest.com tiktok.com tripadvisor.com twitter.com ubereats.com x.com yelp.com youtube.com`.split(/\s+/),
);

async function domainKey(subject: Subject): Promise<string | undefined> {
  const host = await webHostIn(subject);
  if (host?.value.kind !== 'read') return undefined;
  const { registrableDomain } = host.value.value;
  return SHARED_SITES.has(registrableDomain) ? undefined : key('domain', registrableDomain);
}

const STREET = [...placesOf('address'), ...placesOf('street')];

/** The postcode without spaces and hyphens, and without the last four digits of a ZIP+4, which are seldom used. */
function postcodeIn({ fields }: Subject): string | undefined {
  return textOf(fields, 'postalCode')
    ?.value.toUpperCase()
    .replace(/^(\d{5})-\d{4}$/, '$1')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function neighbourhood({ fields }: Subject): string | undefined {
  const match = coordinateIn(fields);
  return match && 'coordinate' in match ? writeGeohash(match.coordinate, NEIGHBOURHOOD_CHARACTERS) : undefined;
}

/**
 * The text without accents, case, space, punctuation and trade mark signs. Marks that are letters of their own, as in
 * Hindi, stay.
 */
function folded(text: string): string {
  return text
    .replace(/[™℠®©]/g, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
    .normalize('NFC');
}
