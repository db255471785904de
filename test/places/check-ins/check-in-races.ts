/** Check-ins of one customer that all come at the same moment, through several clients as through several functions. */
import type { AppSettings } from '../../../shared/loyalty/app.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import {
  CENTRE,
  checkIn,
  checkInDeps,
  disagreements,
  newApp,
  newCaller,
  outcomeOf,
  type PlacesDesk,
} from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const FUNCTIONS = 4;

interface Race {
  readonly settings: Partial<AppSettings>;
  readonly places: number;
  /** Of every other place; the rest have none. @default none */
  readonly brand?: string;
  /** Check-ins that the customer has made on the same day, at other places. @default 0 */
  readonly before?: number;
}

/** How often each outcome came, and what the tables hold of the check-ins that were made. */
async function raced(desk: PlacesDesk, { settings, places: count, brand = '', before = 0 }: Race, calls: number) {
  const app = newApp(settings);
  const caller = newCaller(app);
  await desk.stand(caller, CENTRE, NOW);
  for (let n = 0; n < before; n += 1) {
    const place = await desk.place(app.tenant, { points: 1 });
    await desk.checkIn({ caller, place, now: NOW });
  }
  const places = await Promise.all(
    Array.from({ length: count }, (_, n) => desk.place(app.tenant, { points: 1, brand: n % 2 === 0 ? brand : '' })),
  );
  const functions = Array.from({ length: FUNCTIONS }, () => {
    const client = dynamoDbClient(desk.clientOptions());
    return checkInDeps({ places: { ...desk.places, client }, accounts: { ...desk.accounts, client } });
  });
  const outcomes = await Promise.all(
    Array.from({ length: calls }, async (_, n) => {
      const place = places[n % places.length]!;
      const outcome = await outcomeOf(checkIn(functions[n % FUNCTIONS]!, { caller, place, now: NOW + (n % 7) }));
      return { place, told: 'code' in outcome ? outcome.code : outcome.state };
    }),
  );
  /** Places at which a check-in was made, by the answers. */
  const won = new Set(outcomes.filter((one) => one.told === MADE).map(({ place }) => place.id));
  const told: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name =
      REFUSED_LATER.has(outcome.told) && won.has(outcome.place.id) ? 'refused where one was made' : outcome.told;
    told[name] = (told[name] ?? 0) + 1;
  }
  const records = await desk.records(caller);
  const visited = records.visits.map(({ place }) => String(place));
  return {
    told,
    /** Made, by the ledger. */
    made: records.entries.length - before,
    ofBrand: visited.filter((id) => places.some((place) => place.id === id && place.brand === brand)).length,
    places: won.size,
    disagreements: disagreements(records),
  };
}

const MADE = 'alreadycheckedin_checkable';

/**
 * Where a check-in was made, others find either: a batch of items is no snapshot, so it may hold the count of the day
 * that a transaction has written and not yet its visit.
 */
const REFUSED_LATER = new Set(['check_in_not_available', 'check_in_limit_reached']);

/** @param calls a multiple of 40, so that every place gets as many */
export async function racesOf(desk: PlacesDesk, calls: number) {
  return {
    onePlace: await raced(desk, { settings: {}, places: 1 }, calls),
    dailyLimit: await raced(desk, { settings: { checkInsPerDay: 10 }, places: 20 }, calls),
    oneLeft: await raced(desk, { settings: { checkInsPerDay: 3 }, places: 20, before: 2 }, calls),
    brandLimit: await raced(
      desk,
      { settings: { checkInsPerBrandAndDay: 3, checkInsPerDay: 100 }, places: 20, brand: 'Acme' },
      calls,
    ),
  };
}

/** Exactly what the limits allow, whatever the order in which so many calls were served. */
export const expectedRaces = (calls: number) => ({
  onePlace: {
    told: { [MADE]: 1, 'refused where one was made': calls - 1 },
    made: 1,
    ofBrand: 1,
    places: 1,
    disagreements: [],
  },
  dailyLimit: {
    told: { [MADE]: 10, 'refused where one was made': calls / 2 - 10, check_in_limit_reached: calls / 2 },
    made: 10,
    ofBrand: 10,
    places: 10,
    disagreements: [],
  },
  oneLeft: {
    told: { [MADE]: 1, 'refused where one was made': calls / 20 - 1, check_in_limit_reached: (calls / 20) * 19 },
    made: 1,
    ofBrand: 1,
    places: 1,
    disagreements: [],
  },
  // Three of the brand, and the ten places that have none.
  brandLimit: {
    told: {
      [MADE]: 13,
      'refused where one was made': (calls / 20) * 13 - 13,
      check_in_not_available: (calls / 20) * 7,
    },
    made: 13,
    ofBrand: 3,
    places: 13,
    disagreements: [],
  },
});
