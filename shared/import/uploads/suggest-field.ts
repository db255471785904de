import type { MapFields } from '../rows/parse-import-map.ts';

/** Shorter prefixes match too many names. */
const PREFIX_LENGTH_MIN = 3;

/** Names that columns commonly have, by the field that they fill, in letters alone. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  name: ['title', 'label', 'company', 'shop', 'store', 'branch', 'hotel', 'restaurant', 'venue', 'product', 'property'],
  address: ['street', 'streetaddress', 'streetaddr', 'streetname', 'addr', 'address1', 'addressline1', 'line1'],
  city: ['town', 'locality', 'municipality'],
  province: ['state', 'region'],
  state: ['province', 'region'],
  country: ['countrycode', 'nation'],
  postalCode: ['zip', 'zipcode', 'postcode', 'plz'],
  latitude: ['y'],
  longitude: ['lng', 'lon', 'long', 'x'],
  phones: ['phone', 'phoneno', 'phonenumber', 'tel', 'telno', 'telephone', 'telephonenumber'],
  emails: ['email', 'mail', 'emailaddress'],
  websites: ['website', 'web', 'homepage', 'url', 'link'],
  categories: ['category', 'type', 'kind'],
  'descriptions.value': ['description', 'descriptions', 'text', 'summary'],
  brand: ['chain', 'manufacturer', 'make'],
  ean: ['gtin', 'barcode'],
  icon: ['logo', 'image', 'picture', 'imageurl'],
  id: ['identifier', 'recordid', 'uuid', 'key', 'ref', 'reference'],
};

/** The thing that a column belongs to, which says nothing of its field: `Shop Title`, `Business Phone`. */
const SUBJECTS = /^(shop|store|business|company|place|venue|branch|hotel|restaurant|product|property|site)(?=.)/;

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The field that a column is likely to fill: the one of its name, the one of its name without case, spaces and
 * punctuation (`Postal Code`), the one that columns of this name commonly fill (`Zip`, `Shop Title`), or the only one
 * whose name begins with it (`lat`). Undefined if there is none.
 */
export function suggestionFor(column: string, { has, names }: Pick<MapFields, 'has' | 'names'>): string | undefined {
  if (has(column)) return column;
  const letters = lettersOf(column);
  return (
    sameOrSynonym(letters, names) ?? sameOrSynonym(letters.replace(SUBJECTS, ''), names) ?? onlyLonger(letters, names)
  );
}

function sameOrSynonym(letters: string, names: readonly string[]): string | undefined {
  return (
    names.find((name) => lettersOf(name) === letters) ??
    names.find((name) => SYNONYMS[name]?.includes(letters) === true)
  );
}

function onlyLonger(letters: string, names: readonly string[]): string | undefined {
  if (letters.length < PREFIX_LENGTH_MIN) return undefined;
  const [first, ...others] = names.filter((name) => !name.includes('.') && lettersOf(name).startsWith(letters));
  return others.length === 0 ? first : undefined;
}
