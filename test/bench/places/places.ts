import { distanceMeters, EARTH_RADIUS_METERS, type Point } from '../../../functions/places/geo/distance.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { Random } from '../records/generated-businesses.ts';
import { sizeOf } from '../size.ts';
import { CONTESTANTS, type Contestant, countedTable, type Reads } from './contestants.ts';
import { GeneratedPlaces, idOf, inDenseCentre } from './generated-places.ts';
import { loadedTable } from './place-table.ts';
import { Waits } from './waits.ts';

const LIMIT = 20;
/** Of listings, those by people on the way in the country. */
const TRAVELLERS_SHARE = 0.2;
const WARM_UP = 5;
const DENSE_LISTINGS = sizeOf('LISTINGS', 300);
const DENSE_RADII = [5_000, 50_000];
const SPARSE_METERS = 1_000;
const SPARSE_LISTINGS = sizeOf('LISTINGS', 100);
const CENTRES_TRIED = 3_000;
/** As the function has it: 1,024 MiB of the 1,769 that are a processor. */
const PROCESSOR_SHARE = 1_024 / 1_769;

interface PlacesBench {
  readonly places: number;
  /** The number of listings by radius, unless `LISTINGS` sets it: the peers read all places of a large circle. */
  readonly listings: readonly (readonly [radiusMeters: number, usualListings: number])[];
}

/**
 * Listings of 20 places beside coverings by other cells, on one table: time, calls, items and read units of each, and
 * the places that it misses or has too many, compared with every place of the tenant.
 */
export async function benchPlaces({ places: count, listings: of }: PlacesBench): Promise<void> {
  const places = new GeneratedPlaces(count);
  const table = await loadedTable(places);
  try {
    console.log(`\nListings of ${LIMIT} of ${count} places; the table was filled in ${Math.round(table.seconds)} s`);
    await benchDenseCentre(places, table);
    const truth = everyPlace(places);
    for (const [radiusMeters, usualListings] of of) {
      const listings = sizeOf('LISTINGS', usualListings);
      const centres = customers(places, listings);
      console.log(`\n${radiusMeters} m around ${listings} customers`);
      const rows: Record<string, object> = {};
      for (const contestant of CONTESTANTS) {
        rows[contestant.name] = row(await measured(contestant, table, { centres, radiusMeters, truth }));
      }
      const start = performance.now();
      for (const centre of centres) truth(centre, radiusMeters);
      rows['every place, in memory'] = { 'mean ms': shortFigure((performance.now() - start) / listings) };
      console.table(rows);
    }
  } finally {
    await table.close();
  }
}

/** A city centre beside places where a list is full, too, but reaches far. */
async function benchDenseCentre(places: GeneratedPlaces, table: Table): Promise<void> {
  const [contestant, truth] = [CONTESTANTS[0]!, everyPlace(places)];
  const random = new Random(3);
  const dense = Array.from({ length: DENSE_LISTINGS }, () => inDenseCentre(random));
  for (const radiusMeters of DENSE_RADII) {
    const sparse = sparseCentres(places, truth, { radiusMeters, random });
    console.log(
      `\nDense centre, ${places.dense.toLocaleString('en')} places within 1 km, beside ${sparse.length} centres with the 20th place ${SPARSE_METERS} m away or farther; ${radiusMeters} m`,
    );
    const far = await measured(contestant, table, { centres: sparse, radiusMeters, truth });
    const near = await measured(contestant, table, { centres: dense, radiusMeters, truth });
    const ratio = (figure: (of: Measured) => number) => shortFigure(figure(near) / figure(far));
    console.table({
      sparse: row(far),
      dense: row(near),
      ratio: {
        'p50 ms': ratio(({ millis }) => quantile(millis, 0.5)),
        'p99 ms': ratio(({ millis }) => quantile(millis, 0.99)),
        calls: ratio(({ reads }) => mean(reads.map(({ calls }) => calls))),
        units: ratio(({ reads }) => mean(reads.map(({ units }) => units))),
        'in a region, ms': ratio(({ regionMillis }) => regionMillis),
      },
    });
  }
}

/** Centres whose list is full, with its last place this far away at least. */
function sparseCentres(places: GeneratedPlaces, truth: Truth, { radiusMeters, random }: Sparse): Point[] {
  const centres: Point[] = [];
  for (let tried = 0; tried < CENTRES_TRIED && centres.length < SPARSE_LISTINGS; tried += 1) {
    const centre = random.chance(0.5) ? places.traveller(random) : places.customer(random);
    const last = truth(centre, radiusMeters)[LIMIT - 1];
    if (last && last.distance >= SPARSE_METERS) centres.push(centre);
  }
  if (centres.length < WARM_UP) throw new Error(`Of ${CENTRES_TRIED} centres, ${centres.length} are sparse.`);
  return centres;
}

interface Sparse {
  readonly radiusMeters: number;
  readonly random: Random;
}

function customers(places: GeneratedPlaces, count: number): Point[] {
  const random = new Random(2);
  return Array.from({ length: count }, () =>
    random.chance(TRAVELLERS_SHARE) ? places.traveller(random) : places.customer(random),
  );
}

type Truth = (centre: Point, radiusMeters: number) => readonly { readonly id: string; readonly distance: number }[];

/** Compares the centre with every place, those too far north or south by their latitude alone. */
function everyPlace(places: GeneratedPlaces): Truth {
  const points = Array.from({ length: places.count }, (_, n) => places.position(n));
  return (centre, radiusMeters) => {
    const near: { readonly id: string; readonly distance: number }[] = [];
    const degrees = ((radiusMeters / EARTH_RADIUS_METERS) * 180) / Math.PI + 1e-9;
    for (const [n, point] of points.entries()) {
      if (Math.abs(point.latitude - centre.latitude) > degrees) continue;
      const distance = distanceMeters(centre, point);
      if (distance <= radiusMeters) near.push({ id: idOf(n), distance });
    }
    near.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
    return near.slice(0, LIMIT);
  };
}

interface Listings {
  readonly centres: readonly Point[];
  readonly radiusMeters: number;
  readonly truth: Truth;
}

interface Measured {
  readonly millis: readonly number[];
  /** Of a listing on average: its processor time with the function's memory, and 8 ms for each wait for the table. */
  readonly regionMillis: number;
  readonly reads: readonly Reads[];
  readonly missed: number;
  readonly extra: number;
}

/** First for the times, then once more for what is read and found. */
async function measured({ list }: Contestant, table: Table, { centres, radiusMeters, truth }: Listings) {
  const wantedAt = (centre: Point) => ({ centre, radiusMeters, limit: LIMIT });
  for (const centre of centres.slice(0, WARM_UP)) await list(table, wantedAt(centre));
  const millis: number[] = [];
  const waits = new Waits();
  const waiting = { ...table, client: waits.bind(table.client) };
  const cpu = process.cpuUsage();
  for (const centre of centres) {
    const start = performance.now();
    await list(waiting, wantedAt(centre));
    millis.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(cpu);
  const region = (user + system) / 1_000 / PROCESSOR_SHARE + waits.take().seconds * 1_000;
  const all: Reads[] = [];
  let [missed, extra] = [0, 0];
  for (const centre of centres) {
    const counted = countedTable(table);
    const ids = new Set((await list(counted.table, wantedAt(centre))).map(({ place }) => place.id));
    const right = new Set(truth(centre, radiusMeters).map(({ id }) => id));
    missed += [...right].filter((id) => !ids.has(id)).length;
    extra += [...ids].filter((id) => !right.has(id)).length;
    all.push(counted.reads);
  }
  return { millis, regionMillis: region / centres.length, reads: all, missed, extra } satisfies Measured;
}

function row({ millis, regionMillis, reads, missed, extra }: Measured): object {
  const most = (figure: (one: Reads) => number) => Math.max(...reads.map(figure));
  return {
    'p50 ms': shortFigure(quantile(millis, 0.5)),
    'p99 ms': shortFigure(quantile(millis, 0.99)),
    'in a region, ms': shortFigure(regionMillis),
    calls: shortFigure(mean(reads.map(({ calls }) => calls))),
    'most calls': most(({ calls }) => calls),
    items: shortFigure(mean(reads.map(({ items }) => items))),
    'most items': most(({ items }) => items),
    units: shortFigure(mean(reads.map(({ units }) => units))),
    missed,
    extra,
  };
}

const mean = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
const quantile = (figures: readonly number[], share: number) =>
  figures.toSorted((a, b) => a - b)[Math.floor(share * figures.length)] ?? Number.NaN;
const shortFigure = (figure: number) => Number(figure.toFixed(figure < 100 ? 2 : 0));
