import type { RecordType } from '../schemas/schema.ts';

type DemoRecord = Readonly<Record<string, unknown>>;

/** The number of records of each type with which a local run starts. */
const RECORDS = 240;

const CITIES = [
  { city: 'Austin', province: 'TX', postalCode: '78701', latitude: 30.2672, longitude: -97.7431 },
  { city: 'Seattle', province: 'WA', postalCode: '98101', latitude: 47.6062, longitude: -122.3321 },
  { city: 'Boston', province: 'MA', postalCode: '02108', latitude: 42.3601, longitude: -71.0589 },
  { city: 'Denver', province: 'CO', postalCode: '80202', latitude: 39.7392, longitude: -104.9903 },
  { city: 'New Orleans', province: 'LA', postalCode: '70112', latitude: 29.9511, longitude: -90.0715 },
];
const STREETS = ['Main Street', 'Oak Avenue', 'Harbor Road', 'Second Street', 'Lakeview Drive', 'Mill Lane'];
const ADJECTIVES = ['Golden', 'Silver', 'Northern', 'Old Town', 'Riverside', 'Sunny', 'Quiet', 'Grand'];
const BUSINESSES = [
  { noun: 'Hotel', categories: ['Hotels', 'Lodging'], cuisines: [] },
  { noun: 'Bakery', categories: ['Bakeries', 'Food'], cuisines: ['French'] },
  { noun: 'Taqueria', categories: ['Restaurants', 'Mexican'], cuisines: ['Mexican'] },
  { noun: 'Bookshop', categories: ['Bookstores', 'Shopping'], cuisines: [] },
  { noun: 'Clinic', categories: ['Health', 'Doctors'], cuisines: [] },
];
const BRANDS = ['Northwind', 'Bluebird', 'Fairfield', 'Granite', 'Larkspur'];
const PRODUCTS = [
  { noun: 'Oat Cereal', categories: ['Grocery', 'Breakfast'] },
  { noun: 'Running Shoe', categories: ['Sports', 'Shoes'] },
  { noun: 'Desk Lamp', categories: ['Home', 'Lighting'] },
  { noun: 'Green Tea', categories: ['Grocery', 'Beverages'] },
];
const COLORS = ['red', 'blue', 'green', 'black'];
const PROPERTY_TYPES = ['Single Family Dwelling', 'Condo', 'Townhouse', 'Apartment'];

/** Made-up records, the same in every run, that use most kinds of field. */
export function demoRecords(type: RecordType): DemoRecord[] {
  const make = { businesses: demoBusiness, products: demoProduct, properties: demoProperty }[type];
  return Array.from({ length: RECORDS }, (_, i) => make(i));
}

/** An element that varies with `i`, differently for each step. */
function pick<T>(from: readonly [T, ...T[]] | readonly T[], i: number, step: number): T {
  const element = from[(i * step + Math.floor(i / from.length)) % from.length];
  if (element === undefined) throw new Error('There is nothing to pick from.');
  return element;
}

const day = (i: number) => new Date(Date.UTC(2024, 0, 1) + i * 86_400_000).toISOString().replace('.000Z', 'Z');
const idOf = (kind: string, i: number) => `demo-${kind}-${String(i).padStart(4, '0')}`.padEnd(20, '0');

function demoBusiness(i: number): DemoRecord {
  const { latitude, longitude, ...place } = pick(CITIES, i, 3);
  const { noun, categories, cuisines } = pick(BUSINESSES, i, 1);
  const name = `${pick(ADJECTIVES, i, 5)} ${noun}`;
  const site = `https://www.example.com/businesses/${i}`;
  return {
    id: idOf('business', i),
    name,
    address: `${100 + i} ${pick(STREETS, i, 2)}`,
    country: 'US',
    ...place,
    latitude: Number((latitude + (i % 17) / 1000).toFixed(4)),
    longitude: Number((longitude - (i % 13) / 1000).toFixed(4)),
    categories,
    ...(cuisines.length > 0 && { cuisines }),
    phones: [`+1 555 01${String(i % 100).padStart(2, '0')}`],
    ...(noun === 'Hotel' && { numRoom: 20 + (i % 80) }),
    websites: [site],
    sourceURLs: [site],
    dateAdded: day(i),
    dateUpdated: day(i + 30),
    descriptions: [{ value: `${name} on ${pick(STREETS, i, 2)}, open since ${1950 + (i % 70)}.`, sourceURLs: [site] }],
    hours: [{ day: 'Mon-Fri', hour: '9:00-18:00' }],
    ...(i % 3 === 0 && {
      reviews: [
        {
          date: day(i + 5),
          rating: 1 + (i % 5),
          title: 'Would come again',
          text: 'Friendly people and fair prices.',
          username: `guest${i}`,
        },
        {
          date: day(i + 9),
          rating: 5 - (i % 5),
          title: 'As expected',
          text: 'Clean, quiet and easy to find.',
          username: `visitor${i}`,
        },
      ],
    }),
  };
}

function demoProduct(i: number): DemoRecord {
  const { noun, categories } = pick(PRODUCTS, i, 1);
  const brand = pick(BRANDS, i, 3);
  const source = `https://www.example.com/products/${i}`;
  const price = Number((3 + (i % 90) + 0.99).toFixed(2));
  return {
    id: idOf('product', i),
    name: `${brand} ${pick(ADJECTIVES, i, 5)} ${noun}`,
    brand,
    manufacturer: `${brand} Works`,
    categories,
    colors: [pick(COLORS, i, 3)],
    upc: String(400_000_000_000 + i * 97),
    ean: [String(4_000_000_000_000 + i * 97)],
    dateAdded: day(i),
    dateUpdated: day(i + 10),
    features: [{ key: 'Origin', value: ['Imported'] }],
    prices: [
      {
        amountMin: price,
        amountMax: price + 5,
        currency: 'USD',
        isSale: i % 4 === 0 ? 'true' : 'false',
        dateSeen: [day(i + 1)],
        sourceURLs: [source],
      },
      {
        amountMin: price + 1,
        amountMax: price + 6,
        currency: 'USD',
        isSale: 'false',
        dateSeen: [day(i + 20)],
        sourceURLs: [source],
      },
    ],
    sourceURLs: [source, `${source}/archive`],
  };
}

function demoProperty(i: number): DemoRecord {
  const { latitude, longitude, ...place } = pick(CITIES, i, 2);
  const amount = 150_000 + (i % 60) * 12_500;
  const bedrooms = 1 + (i % 5);
  return {
    id: idOf('property', i),
    address: `${10 + i} ${pick(STREETS, i, 5)}`,
    country: 'US',
    ...place,
    latitude: Number((latitude + (i % 19) / 1000).toFixed(4)),
    longitude: Number((longitude - (i % 11) / 1000).toFixed(4)),
    propertyType: pick(PROPERTY_TYPES, i, 1),
    numBedroom: bedrooms,
    numBathroom: 1 + (i % 3),
    floorSizeValue: 500 + (i % 40) * 55,
    floorSizeUnit: 'sq. ft.',
    dateAdded: day(i),
    dateUpdated: day(i + 3),
    descriptions: [{ value: `${bedrooms} bedrooms near ${pick(STREETS, i, 5)}.`, dateSeen: [day(i)] }],
    prices: [{ amountMin: amount, amountMax: amount, currency: 'USD', dateSeen: [day(i)], isSale: 'true' }],
    statuses: [{ type: i % 4 === 0 ? 'Rental' : 'For Sale', dateSeen: [day(i)] }],
  };
}
