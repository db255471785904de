import { createHash } from 'node:crypto';
import type { PlaceFields, PlaceInput } from '../../../functions/places/catalog/place.ts';
import type { Point } from '../../../functions/places/geo/distance.ts';
import { Random } from '../records/generated-businesses.ts';

export const TENANT = 'acme-industries';

/** A city centre where every house has several places. */
const DENSE_CENTRE: Point = { latitude: 47.37, longitude: 8.54 };
const DENSE_METERS = 1_000;
/** Or a third of all places, where that is less. */
const DENSE_PLACES = 20_000;

/** Some 1,100 km from south to north, and from west to east. */
const COUNTRY = { south: 42, west: 1, north: 52, east: 16 } as const;
const COUNTRYSIDE_SHARE = 0.08;
const PLACES_PER_TOWN = 250;
/** A town of a hundred places; one of n times as many is wider by the root of n, nearly: larger towns are denser. */
const TOWN_METERS = 400;
const TOWN_GROWTH = 0.4;
const METERS_PER_DEGREE = 111_195;

/**
 * Places as people live: one dense centre, towns whose sizes follow a power law and that thin out towards their edges,
 * and a countryside. The nth place is the same in every run for the same number of places.
 */
export class GeneratedPlaces {
  readonly count: number;
  /** The number of places in the dense centre. */
  readonly dense: number;
  readonly #towns: readonly Point[];
  readonly #seed: number;

  constructor(count: number, seed = 1) {
    this.count = count;
    this.dense = Math.min(DENSE_PLACES, Math.floor(count / 3));
    this.#seed = seed;
    const towns = Math.max(1, Math.round(count / PLACES_PER_TOWN));
    this.#towns = Array.from({ length: towns }, (_, town) =>
      town === 0 ? DENSE_CENTRE : inCountry(new Random(seed * 7_919 + town)),
    );
  }

  position(n: number): Point {
    const random = new Random(this.#seed * 1_000_003 + n);
    if (n < this.dense) return moved(DENSE_CENTRE, DENSE_METERS * Math.sqrt(random.next()), random);
    if (random.chance(COUNTRYSIDE_SHARE)) return inCountry(random);
    const town = Math.floor(this.#towns.length ** random.next()) - 1;
    const distance = this.#spreadOf(town) * Math.sqrt(-2 * Math.log(1 - random.next()));
    return moved(this.#towns[town]!, distance, random);
  }

  place(n: number): PlaceInput {
    const random = new Random(this.#seed * 611_953 + n);
    return { ...this.position(n), ...fieldsOf(random), tenant: TENANT, id: idOf(n) };
  }

  /** Near some place, as customers are. */
  customer(random: Random): Point {
    return moved(this.position(random.below(this.count)), 300 * random.next(), random);
  }

  /** Anywhere in the country, and so hardly ever in a town. */
  traveller(random: Random): Point {
    return inCountry(random);
  }

  /** Standard deviation of the distances from the middle of a town, in metres. */
  #spreadOf(town: number): number {
    const share = Math.log((town + 2) / (town + 1)) / Math.log(this.#towns.length + 1);
    return TOWN_METERS * Math.max(0.5, ((share * this.count) / 100) ** TOWN_GROWTH);
  }
}

/** Someone in the dense centre. */
export const inDenseCentre = (random: Random): Point =>
  moved(DENSE_CENTRE, DENSE_METERS * Math.sqrt(random.next()), random);

/** As the management API gives them: 36 characters. */
export const idOf = (n: number): string =>
  createHash('sha256')
    .update(String(n))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

const inCountry = (random: Random): Point => ({
  latitude: twoDecimals(COUNTRY.south + random.next() * (COUNTRY.north - COUNTRY.south)),
  longitude: twoDecimals(COUNTRY.west + random.next() * (COUNTRY.east - COUNTRY.west)),
});

/** In any direction; exact enough for a generator. */
function moved({ latitude, longitude }: Point, meters: number, random: Random): Point {
  const bearing = 2 * Math.PI * random.next();
  const perDegree = METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  return {
    latitude: twoDecimals(latitude + (meters * Math.cos(bearing)) / METERS_PER_DEGREE),
    longitude: twoDecimals(longitude + (meters * Math.sin(bearing)) / perDegree),
  };
}

const twoDecimals = (degrees: number) => Number(degrees.toFixed(6));

const KINDS = ['Coffee', 'Pharmacy', 'Supermarket', 'Shoes', 'Bakery', 'Fitness Studio', 'Burgers', 'Books', 'Pizza'];
const STREETS = ['Station Road', 'High Street', 'Market Square', 'Church Lane', 'Victoria Avenue', 'Mill Street'];
const CITIES = ['Springfield', 'Riverside', 'Fairview', 'Georgetown', 'Salem', 'Greenville', 'Bristol', 'Newport'];
const STATES = ['ZH', 'BE', 'GE', 'VD', 'AG', 'SG', 'LU', 'TI'];

export function fieldsOf(random: Random): Omit<PlaceFields, keyof Point> {
  const kind = random.pick(KINDS);
  const brand = random.chance(0.4) ? `${kind} ${1 + random.below(50)}` : '';
  return {
    name: `${brand === '' ? `The ${kind} Corner` : brand}, ${random.pick(STREETS)}`,
    icon: `https://images.example.com/places/${kind.toLowerCase().replaceAll(' ', '-')}-48.png`,
    address: `${1 + random.below(300)} ${random.pick(STREETS)}`,
    city: random.pick(CITIES),
    state: random.pick(STATES),
    brand,
    points: 5 * (1 + random.below(20)),
    acceptedDistanceMeters: random.chance(0.2) ? 50 * (1 + random.below(6)) : undefined,
    closed: random.chance(0.02),
  };
}
