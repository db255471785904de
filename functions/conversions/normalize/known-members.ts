import type { Dimension } from '../knowledge/quantities/unit-definition.ts';

/** What the rules know about a member by its name. */
export type Kind = TextKind | 'amount' | 'measure' | 'unit' | 'name' | 'address';

/** Kinds whose members hold one text or a list of texts, each of which is read by itself. */
export type TextKind =
  | 'phone'
  | 'email'
  | 'web'
  | 'host'
  | 'country'
  | 'date'
  | 'gtin'
  | 'trade-number'
  | 'baths'
  | 'beds'
  | 'rooms'
  | 'currency'
  | 'decimal'
  | 'postcode'
  | 'legal-form'
  | 'text';

const words = (text: string): string[] => text.split(/\s+/);

/** In the order in which the rules run: amounts follow the currency, names and addresses all that they depend on. */
export const MEMBERS_BY_KIND: Readonly<Record<Kind, readonly string[]>> = {
  phone: words(`phone phones phoneNumber telephone mobile fax faxes`),
  email: ['email', 'emails'],
  web: ['website', 'websites', 'url', 'homepage', 'careerPageURL', 'menuPageURL'],
  host: ['domain', 'domains'],
  country: ['country', 'countryCode'],
  date: words(`opened openedOn dateOpened closedOn founded date dateAdded dateUpdated dateSeen startDate
    endDate dateValidStart dateValidEnd availableFrom listed listedOn soldOn closed releaseDate`),
  gtin: ['gtin', 'gtins', 'gtin14'],
  'trade-number': words(`gtin13 gtin12 gtin8 ean upc isbn barcode`),
  baths: ['baths', 'bathrooms', 'numBathroom'],
  beds: ['beds', 'bedrooms', 'numBedroom'],
  rooms: ['rooms', 'numRoom'],
  currency: ['currency', 'priceCurrency', 'priceRangeCurrency', 'revenueCurrency'],
  amount:
    words(`price salePrice listPrice msrp pricePerSquareFoot amount amountMin amountMax priceRangeMin priceRangeMax
    revenueMin revenueMax`),
  measure: words(`weight area livingArea lotArea floorSize lotSize length width height depth volume netContent`),
  unit: words(`weightUnit areaUnit livingAreaUnit lotAreaUnit floorSizeUnit lotSizeUnit distanceUnit`),
  decimal: ['floorSizeValue', 'lotSizeValue', 'distanceValue'],
  postcode: ['postalCode', 'postcode', 'zip'],
  'legal-form': ['legalForm'],
  text: words(`brand manufacturer manufacturerNumber mpn city province state street line1 line2 listingName
    buildingName title agent company propertyType categories primaryCategories cuisines
    neighborhoods colors sizes flavors`),
  name: ['name'],
  address: ['address'],
};

export const KINDS = Object.keys(MEMBERS_BY_KIND) as readonly Kind[];

const kinds: ReadonlyMap<string, Kind> = new Map(
  KINDS.flatMap((kind) => MEMBERS_BY_KIND[kind].map((name): [string, Kind] => [name, kind])),
);
export const kindOf = (name: string): Kind | undefined => kinds.get(name);

/** Members that hold objects with known members of their own, or lists of such objects. Others stay as they are. */
export const CONTAINERS: ReadonlySet<string> = new Set(
  words(`address price salePrice listPrice people merchants brokers prices fees deposits propertyTaxes
    nearbySchools reviews availableDates unavailableDates statuses`),
);

/** What the measure in a member may be one of. */
export function dimensionsOf(name: string): readonly Dimension[] {
  if (name === 'volume') return ['volume'];
  if (name === 'netContent') return ['mass', 'volume'];
  if (name === 'weight' || name === 'weightUnit') return ['mass'];
  return ['length', 'width', 'height', 'depth', 'distanceUnit'].includes(name) ? ['length'] : ['area'];
}

/** The member that names the currency of an amount. Where both are in use the shorter name is the one to add. */
export function currencyMembersOf(name: string): readonly [string, ...string[]] {
  if (name.startsWith('priceRange')) return ['priceRangeCurrency'];
  return name.startsWith('revenue') ? ['revenueCurrency'] : ['currency', 'priceCurrency'];
}
