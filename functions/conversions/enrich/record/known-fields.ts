/** Under which names a record may hold what the groups read: names of this service's own records, and obvious others. */
export const PHONE = ['/phone', '/phones/0', '/telephone', '/phoneNumber'];
export const WEB = ['/website', '/websites/0', '/domain', '/domains/0', '/url', '/homepage'];
export const EMAIL = ['/email', '/emails/0'];
export const COUNTRY = ['/country', '/countryCode'];
export const POSTCODE = ['/postalCode', '/postcode', '/zip', '/address/postalCode', '/address/postcode'];
export const CITY = ['/city', '/address/city'];
export const STREET = ['/address', '/street', '/address/street', '/address/line1'];
export const NAME = ['/name', '/title'];
export const GTIN = [
  '/gtin',
  '/gtin14',
  '/gtin13',
  '/gtin12',
  '/gtin8',
  '/ean',
  '/ean/0',
  '/upc',
  '/upc/0',
  '/barcode',
  '/isbn',
];
export const BRAND = ['/brand', '/manufacturer'];
export const PART_NUMBER = ['/mpn', '/manufacturerNumber'];
export const LISTING_NUMBER = ['/mlsNumber'];
export const PRICE = ['/price', '/price/amount', '/price/value', '/prices/0/amountMin', '/prices/0/amountMax'];
export const CURRENCY = ['/currency', '/priceCurrency', '/price/currency', '/prices/0/currency'];
/** Pairs of a value and its unit. A value that names its unit itself (`1250 sq ft`) needs none. */
export const AREA = [
  ['/area/value', '/area/unit'],
  ['/area', '/areaUnit'],
  ['/floorSizeValue', '/floorSizeUnit'],
  ['/livingArea', '/livingAreaUnit'],
] as const;
export const PACK = [
  ['/quantity/value', '/quantity/unit'],
  ['/quantity', '/quantityUnit'],
  ['/netContent/value', '/netContent/unit'],
  ['/netContent', '/netContentUnit'],
  ['/packSize', '/packSizeUnit'],
  ['/size', '/sizeUnit'],
  ['/sizes/0', '/sizeUnit'],
  ['/weight/value', '/weight/unit'],
  ['/weight', '/weightUnit'],
] as const;
/** Where the three lengths of a parcel may stand as one text, or as an object of them. */
export const DIMENSIONS = ['/dimensions', '/dimension', '/packageDimensions'];

const POINT_PARENTS = ['', '/location', '/point', '/geo', '/coordinates', '/address'];
const POINT_NAMES = [
  ['lat', 'lon'],
  ['latitude', 'longitude'],
  ['lat', 'lng'],
] as const;
export const POINT = POINT_PARENTS.flatMap((parent) =>
  POINT_NAMES.map(([latitude, longitude]) => [`${parent}/${latitude}`, `${parent}/${longitude}`] as const),
);
