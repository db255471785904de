/** What a field holds, and with it how it is judged. A list holds values of the same kind. */
export type Kind =
  | 'text'
  | 'flag'
  | 'phone'
  | 'email'
  | 'web'
  | 'host'
  | 'country'
  | 'postcode'
  | 'gtin'
  | 'isbn'
  | 'price'
  | 'currency'
  | 'latitude'
  | 'longitude'
  | 'past'
  | 'date'
  | 'year'
  | 'count'
  | 'beds'
  | 'baths'
  | 'rooms'
  | 'number'
  | 'area'
  | 'mass'
  | 'length'
  | 'volume';

/** An object within a record: a part of it (its country is the record's), or something of its own. */
export interface Nested {
  readonly fields: Table;
  readonly own: boolean;
  /** What else than such an object may stand there. Texts and lists of many forms name a point; these are not judged. */
  readonly or?: Kind | 'anything';
}

export type Table = ReadonlyMap<string, Kind | Nested>;

function table(kinds: Partial<Record<Kind, string>>, nested: Readonly<Record<string, Nested>> = {}): Table {
  const scalars = Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(' ').map((name): [string, Kind] => [name, kind as Kind]),
  );
  return new Map<string, Kind | Nested>([...scalars, ...Object.entries(nested)]);
}

const part = (fields: Table, or?: Nested['or']): Nested => ({ fields, own: false, ...(or && { or }) });
const own = (fields: Table, or?: Nested['or']): Nested => ({ fields, own: true, ...(or && { or }) });

const POINT = table({ latitude: 'lat latitude', longitude: 'lon lng longitude' });
const ADDRESS = table(
  {
    text: 'street line1 line2 city state province region',
    country: 'country countryCode',
    postcode: 'postalCode postcode zip',
    latitude: 'lat latitude',
    longitude: 'lon lng longitude',
  },
  {},
);
const PERSON = table({ text: 'name title', email: 'email', phone: 'phone', past: 'dateSeen' });
const DESCRIPTION = table({ text: 'value', past: 'dateSeen', web: 'sourceURLs' });
const REVIEW = table({
  text: 'text title userCity username userProvince',
  past: 'date dateAdded dateSeen',
  number: 'rating numHelpful',
  flag: 'doRecommend didPurchase',
  web: 'sourceURLs',
});
const PRICE = table({
  price: 'amountMin amountMax pricePerSquareFoot',
  currency: 'currency',
  past: 'dateAdded dateSeen',
  date: 'date dateValidStart dateValidEnd',
  flag: 'isSale',
  web: 'sourceURLs',
});
const AMOUNT = table({
  price: 'amount amountMin amountMax',
  currency: 'currency',
  past: 'dateSeen',
  web: 'sourceURLs',
});
const PERIOD = table({ date: 'startDate endDate', past: 'dateSeen', web: 'sourceURLs' });

const EVERYWHERE: Partial<Record<Kind, string>> = {
  text: 'name title categories primaryCategories brand manufacturer city state province street neighborhoods keys',
  phone: 'phone phones telephone phoneNumber mobile fax faxes',
  email: 'email emails',
  web: 'website websites url homepage imageURLs sourceURLs',
  host: 'domain domains',
  country: 'country countryCode',
  postcode: 'postalCode postcode zip',
  latitude: 'lat latitude',
  longitude: 'lon lng longitude',
  currency: 'currency priceCurrency',
  past: 'dateAdded dateUpdated dateSeen',
};
const NESTED_EVERYWHERE: Readonly<Record<string, Nested>> = {
  address: part(ADDRESS, 'text'),
  location: part(POINT, 'anything'),
  geo: part(POINT, 'anything'),
  point: part(POINT, 'anything'),
  coordinates: part(POINT, 'anything'),
  descriptions: own(DESCRIPTION, 'text'),
  people: own(PERSON),
  reviews: own(REVIEW),
};

/** The fields of a record that are judged; all others may hold anything. */
export const TABLES: Readonly<Record<'business' | 'product' | 'property', Table>> = {
  business: table(
    {
      ...EVERYWHERE,
      text: `${EVERYWHERE.text} legalForm cuisines twitter`,
      web: `${EVERYWHERE.web} careerPageURL menuPageURL`,
      past: `${EVERYWHERE.past} opened openedOn dateOpened founded`,
      date: 'closed closedOn',
      year: 'yearOpened',
      flag: 'isClosed',
      count: 'numEmployeesMin numEmployeesMax',
      rooms: 'numRoom',
      price: 'priceRangeMin priceRangeMax revenueMin revenueMax',
      currency: 'priceRangeCurrency revenueCurrency currency',
    },
    { ...NESTED_EVERYWHERE, menus: own(PRICE) },
  ),
  product: table(
    {
      ...EVERYWHERE,
      text: `${EVERYWHERE.text} colors flavors sizes manufacturerNumber mpn`,
      gtin: 'gtin gtins gtin8 gtin12 gtin13 gtin14 barcode ean upc',
      isbn: 'isbn',
      price: 'price listPrice salePrice msrp',
      mass: 'weight',
      length: 'length width height depth',
      volume: 'volume',
      date: 'releaseDate',
    },
    { ...NESTED_EVERYWHERE, prices: own(PRICE), merchants: own(table({ ...EVERYWHERE })) },
  ),
  property: table(
    {
      ...EVERYWHERE,
      text: `${EVERYWHERE.text} buildingName listingName propertyType mlsNumber`,
      price: 'price listPrice salePrice',
      beds: 'beds bedrooms numBedroom',
      baths: 'baths bathrooms numBathroom',
      count: 'numFloor numPeople numUnit',
      rooms: 'rooms numRoom',
      area: 'area livingArea lotArea floorSize floorSizeValue lotSizeValue lotSize',
      past: `${EVERYWHERE.past} listed listedOn soldOn`,
      date: 'availableFrom',
      year: 'yearBuilt',
    },
    {
      ...NESTED_EVERYWHERE,
      prices: own(PRICE),
      deposits: own(AMOUNT),
      fees: own(AMOUNT),
      propertyTaxes: own(AMOUNT),
      availableDates: own(PERIOD),
      unavailableDates: own(PERIOD),
      brokers: own(
        table({ text: 'agent company', email: 'emails', phone: 'phones', web: 'websites', past: 'dateSeen' }),
      ),
      nearbySchools: own(table({ ...EVERYWHERE, number: 'distanceValue' })),
    },
  ),
};
