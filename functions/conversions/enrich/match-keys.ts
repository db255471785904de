import { placesOf } from '../fields/fields.ts';
import { writeGeohash } from '../knowledge/coordinates/cell-codes.ts';
import { splitLegalForm } from '../knowledge/texts/legal-forms.ts';
import { coordinateIn } from './place.ts';
import { textAt, textOf } from './record/fields.ts';
import { countryCodeIn, gtinIn, phoneIn, webHostIn } from './record/identity.ts';
import type { Subject } from './record/subject.ts';

/** About 600 m: two sources seldom place one business further apart. */
const NEIGHBOURHOOD_CHARACTERS = 6;

/**
 * Keys that records of one thing have in common, whatever their source: sorted, each with the kind of evidence in front.
 * Every key says enough to stand alone; a name, which many share, stands with a place or a brand.
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

/** No name or address is longer. Text beyond it would make keys that nobody can keep in an index. */
const PART_CHARACTERS_MAX = 300;

/** Undefined unless every part is there. Folded parts hold no bar. */
function key(kind: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const isUsable = (part = '') => part !== '' && part.length <= PART_CHARACTERS_MAX && part.isWellFormed();
  return parts.every(isUsable) ? `${kind}:${parts.join('|')}` : undefined;
}

async function phoneKey(subject: Subject): Promise<string | undefined> {
  const found = await phoneIn(subject);
  return found?.value.valid ? key('phone', found.value.e164) : undefined;
}

/** Sites on which very many businesses have a page each. */
const SHARED_SITES: ReadonlySet<string> = new Set(
  `booking.com business.site facebook.com foursquare.com google.com instagram.com linkedin.com linktr.ee opentable.com
  pinterest.com tiktok.com tripadvisor.com twitter.com ubereats.com x.com yelp.com youtube.com`.split(/\s+/),
);

async function domainKey(subject: Subject): Promise<string | undefined> {
  const found = await webHostIn(subject);
  if (found?.value.kind !== 'read') return undefined;
  const { registrableDomain } = found.value.value;
  return SHARED_SITES.has(registrableDomain) ? undefined : key('domain', registrableDomain);
}

const STREET = [...placesOf('address'), ...placesOf('street')];

/** Without spaces and hyphens; the last four digits of a ZIP+4 are seldom written. */
function postcodeIn({ fields }: Subject): string | undefined {
  return textOf(fields, 'postalCode')
    ?.value.toUpperCase()
    .replace(/^(\d{5})-\d{4}$/, '$1')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function neighbourhood({ fields }: Subject): string | undefined {
  const found = coordinateIn(fields);
  return found && 'coordinate' in found ? writeGeohash(found.coordinate, NEIGHBOURHOOD_CHARACTERS) : undefined;
}

/** Without accents, case, space, punctuation and signs of trade marks. Marks that are letters of their own, as in Hindi, stay. */
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
