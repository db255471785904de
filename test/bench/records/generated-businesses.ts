import type { DataRecord } from '../../../functions/records/schemas/schema.ts';

/**
 * Businesses made up from a seed: about 790 bytes of JSON each, with words and places as unevenly spread as real ones.
 * The nth business is the same however many are generated.
 */
export function* generatedBusinesses(records: number, seed = 1): Generator<DataRecord> {
  yield* generatedBetween(0, records, seed);
}

/** The businesses from the nth on, counted from 0. */
export function* generatedBetween(from: number, to: number, seed = 1): Generator<DataRecord> {
  for (let n = from; n < to; n++) yield business(n, new Random(seed * 1_000_003 + n));
}

/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same numbers everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** From 0 up to but without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 up to but without `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** The first items far more often than the last: the nth about n times less often. */
  pickSkewed<Item>(items: readonly Item[]): Item {
    return items[Math.floor(items.length ** this.next()) - 1]!;
  }
}

const list = (text: string): string[] => text.split(',').map((item) => item.trim());

const SYLLABLES = list(
  'ba,ber,cal,da,den,el,far,fin,ga,gra,hol,in,ka,kel,lan,lo,mar,mi,nor,o,pa,per,qua,ra,ri,sol,ta,tor,u,val,wes,zen',
);
const ENGLISH = list(
  'the,and,of,in,for,with,our,your,great,service,family,best,food,local,new,fresh,located,open,quality,house,center,' +
    'street,grill,bar,inn,shop,store,park,city,garden,beach,river,hill,golden,blue,green,old,royal,grand,coffee,pizza,' +
    'hotel,rooms,free,parking,breakfast,pool,friendly,staff,clean,downtown,airport,near,historic,modern,cozy,dining',
);

/** Words, the most frequent first. */
export const WORDS: readonly string[] = [...ENGLISH, ...inventedWords(8000)];
export const CATEGORIES = list(
  'Restaurants,Hotels & Motels,Fast Food,Coffee Shops,Auto Repair,Dentists,Bars,Pizza,Hair Salons,Banks,Grocery Stores,' +
    'Pharmacies,Bed & Breakfast,Real Estate,Lawyers,Museums,Bakeries,Mexican Restaurants,Italian Restaurants,Physicians,' +
    'Florists,Jewelers,Movers,Gyms,Pet Shops,Book Stores,Plumbers,Electricians,Churches,Schools,Veterinarians,Car Rental',
);
/** Country, its provinces, about where it lies. */
const COUNTRIES = [
  {
    code: 'US',
    provinces: list('CA,TX,FL,NY,PA,IL,OH,GA,NC,MI,NJ,VA,WA,AZ,MA,TN,IN,MO,MD,WI,CO,MN,SC,AL,LA,KY'),
    at: [39, -98],
  },
  { code: 'CA', provinces: list('ON,QC,BC,AB,MB,SK,NS'), at: [52, -96] },
  { code: 'GB', provinces: list('England,Scotland,Wales'), at: [53, -2] },
  { code: 'AU', provinces: list('NSW,VIC,QLD,WA,SA'), at: [-27, 134] },
  { code: 'DE', provinces: list('Bayern,Berlin,Hessen,Hamburg'), at: [51, 10] },
  { code: 'MX', provinces: list('Jalisco,Nuevo León,Ciudad de México'), at: [23, -102] },
] as const;
export const CITIES: readonly string[] = inventedWords(1200, 77).map(capitalised);
const STREETS = list('Main St,Oak Ave,Park Rd,1st St,Broadway,Washington Blvd,Lake Dr,Hill Ln,Maple Ave,Market St');

function business(n: number, random: Random): DataRecord {
  const country = random.pickSkewed(COUNTRIES);
  const name = words(random, 2 + random.below(3))
    .map(capitalised)
    .join(' ');
  const city = random.pickSkewed(CITIES);
  const province = random.pickSkewed(country.provinces);
  const address = `${1 + random.below(9999)} ${random.pick(STREETS)}`;
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const added = 1_420_000_000 + random.below(250_000_000);
  const phone = digits(random, 10);
  const text = words(random, 10 + random.below(31)).join(' ');
  return {
    address,
    categories: Array.from({ length: 1 + random.below(3) }, () => random.pickSkewed(CATEGORIES)),
    city,
    country: country.code,
    dateAdded: time(added),
    dateUpdated: time(added + random.below(100_000_000)),
    descriptions: [{ dateSeen: [time(added)], sourceURLs: [`http://www.${random.pick(SITES)}/${slug}`], value: text }],
    keys: [`${country.code}/${province}/${city}/${address}/${n}`.toLowerCase().replaceAll(' ', '')],
    latitude: Number((country.at[0] + random.next() * 12 - 6).toFixed(6)),
    longitude: Number((country.at[1] + random.next() * 30 - 15).toFixed(6)),
    name,
    ...(random.chance(0.2) && { numRoom: 1 + random.below(400) }),
    phones: [phone],
    postalCode: digits(random, 5),
    ...(random.chance(0.4) && { priceRangeCurrency: 'USD', priceRangeMin: 5 + random.below(300) }),
    province,
    ...(random.chance(0.3) && { reviews: [review(random, added)] }),
    sourceURLs: [`http://www.${random.pick(SITES)}/biz/${slug}-${n}`],
    ...(random.chance(0.5) && { websites: [`http://www.${slug}.example.com`] }),
    id: `AV${digits(random, 6)}${n.toString(36).padStart(12, '-')}`,
  };
}

const SITES = list('yellowpages.example,yelp.example,citysearch.example,tripadvisor.example,foursquare.example');

function review(random: Random, added: number) {
  return {
    date: time(added - random.below(10_000_000)),
    rating: 1 + random.below(5),
    text: words(random, 8 + random.below(12)).join(' '),
    title: words(random, 3).join(' '),
    username: `${random.pickSkewed(WORDS)}${random.below(100)}`,
  };
}

const words = (random: Random, count: number): string[] =>
  Array.from({ length: count }, () => random.pickSkewed(WORDS));

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.below(10)).join('');

const time = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function inventedWords(count: number, seed = 7): string[] {
  const random = new Random(seed);
  const words = new Set<string>();
  while (words.size < count) {
    words.add(Array.from({ length: 2 + random.below(2) }, () => random.pick(SYLLABLES)).join(''));
  }
  return [...words];
}
