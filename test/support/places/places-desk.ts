/** Places and apps in real tables, and customers who list and check in: what tests of check-ins begin with. */
import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Engine } from '../../../cdk/local/dynamodb/engine.ts';
import { chosenEngine } from '../../../cdk/local/dynamodb/engine-choice.ts';
import type { Place, PlaceInput } from '../../../functions/places/catalog/place.ts';
import { placeStore, placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { versionOf } from '../../../functions/places/catalog/place-writes.ts';
import { keepListing } from '../../../functions/places/check-in-rules/last-listings.dynamodb.ts';
import { type CheckedIn, type CheckInDeps, checkInAt } from '../../../functions/places/check-ins/check-in.ts';
import { commitCheckIn, evidenceOf } from '../../../functions/places/check-ins/check-in-store.dynamodb.ts';
import type { Point } from '../../../functions/places/geo/distance.ts';
import { Refusal } from '../../../shared/errors.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId, type TenantKey } from '../../../shared/ids.ts';
import { type App, AppSettings } from '../../../shared/loyalty/app.ts';
import type { LoyaltyCaller, LoyaltyCustomer } from '../../../shared/loyalty/loyalty-caller.ts';
import { dynamoDbClient, type Item, marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { PATIENT, REGION } from '../cloud/local-endpoint.ts';
import { createPlacesTable, createTable } from '../cloud/local-table.ts';
import { ownTables } from '../cloud/own-tables.ts';

/** Where the places of tests are, and where their customers stand. */
export const CENTRE: Point = { latitude: 52.52, longitude: 13.405 };

/** A point this far north of another one. */
export const northOf = ({ latitude, longitude }: Point, meters: number): Point => ({
  latitude: latitude + (meters / 6_371_008.8) * (180 / Math.PI),
  longitude,
});

/** The settings of an app, with the defaults of the product. */
export const newApp = (settings: Partial<AppSettings> = {}, tenant = newId('t')): App => ({
  ...AppSettings.parse({ name: 'App', ...settings }),
  id: newId('app'),
  tenant,
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** A customer of an app, of whom nothing is stored yet. */
export const newCaller = (app: App, customer: Partial<LoyaltyCustomer> = {}) => ({
  app,
  customer: { id: newId('cus'), anonymous: false, ...customer },
});
export type Caller = ReturnType<typeof newCaller>;

export const keyOf = ({ app, customer }: Caller): TenantKey => ({ tenant: app.tenant, id: customer.id });

/** A place at the centre, as its owner would state it. */
export const placeInput = (tenant: string, fields: Partial<PlaceInput> = {}): PlaceInput => ({
  tenant,
  id: newId('plc'),
  name: 'A place',
  icon: '',
  address: '',
  city: '',
  state: '',
  ...CENTRE,
  brand: '',
  points: 5,
  closed: false,
  ...fields,
});

/** What a check-in ended with: the state of the place after it, or the code of the refusal. */
export type Outcome = { readonly state: string; readonly nextAt: number } | { readonly code: string };

/** What one process has to check customers in: the parts of `check-ins.handler.ts`. */
export const checkInDeps = ({ places, accounts }: Tables): CheckInDeps => ({
  evidence: (customer, placeId, now) => evidenceOf(places, customer, { placeId, now }),
  commit: (checkIn) => commitCheckIn({ places, accounts: accounts.name }, checkIn),
  creativeOf: async () => undefined,
  hasAdUnit: async () => false,
  newId: () => newId('chk'),
});

export interface Tables {
  readonly places: Table;
  readonly accounts: Table;
}

export interface CheckInCall {
  readonly caller: LoyaltyCaller;
  readonly place: Pick<Place, 'id' | 'venueId'>;
  readonly now: number;
}

/** A request that a well-behaved client would send. */
export const checkIn = (deps: CheckInDeps, { caller, place: { id, venueId }, now }: CheckInCall): Promise<CheckedIn> =>
  checkInAt(deps, caller, { placeId: id, request: { placeId: id, venueId } }, now);

/** The outcome; what is no refusal is thrown. */
export async function outcomeOf(checkedIn: Promise<CheckedIn>): Promise<Outcome> {
  try {
    const { checkIn: made, state } = await checkedIn;
    return { state, nextAt: made.nextAt };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code };
  }
}

async function query(table: Table, pk: string): Promise<Item[]> {
  const command = new QueryCommand({
    TableName: table.name,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: marshalled({ ':pk': pk }),
  });
  const { Items: items = [], LastEvaluatedKey: last } = await table.client.send(command);
  if (last) throw new Error(`${pk} has more than a page.`);
  return items.map((item) => unmarshall(item));
}

async function scan({ name, client }: Table): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: ScanCommand['input']['ExclusiveStartKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

const byKey = (a: Item, b: Item) => (`${a['pk']} ${a['sk']}` < `${b['pk']} ${b['sk']}` ? -1 : 1);

/** Everything in both tables. */
const everything = async ({ places, accounts }: Tables): Promise<Item[][]> =>
  (await Promise.all([scan(places), scan(accounts)])).map((items) => items.sort(byKey));

/** What check-ins have left of a customer in both tables. */
async function recordsOf({ places, accounts }: Tables, { tenant, id }: TenantKey) {
  const [standing, points] = await Promise.all([
    query(places, `STANDING#${tenant}#${id}`),
    query(accounts, `POINTS#${tenant}#${id}`),
  ]);
  const under = (prefix: string, items: Item[]) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  return {
    standing,
    points,
    visits: under('VISIT#', standing),
    days: under('DAY#', standing),
    entries: under('ENTRY#', points),
    balance: points.find(({ sk }) => sk === 'BALANCE'),
  };
}
export type CustomerRecords = Awaited<ReturnType<typeof recordsOf>>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** What the records of a customer say of how many check-ins there were, each in its own way. Empty if all agree. */
export function disagreements({ days, entries, balance, visits }: CustomerRecords): string[] {
  const differences: string[] = [];
  const counted = sum(days.map(({ count }) => Number(count)));
  if (counted !== entries.length) differences.push(`days count ${counted}, the ledger ${entries.length}`);
  const total = balance ? Number(balance['entries']) : 0;
  if (total !== entries.length) differences.push(`the balance counts ${total}, the ledger ${entries.length}`);
  const earned = sum(entries.map(({ points }) => Number(points)));
  if ((balance ? Number(balance['points']) : 0) !== earned) differences.push(`the balance is not ${earned}`);
  for (const { sk, count } of days) {
    const ofDay = entries.filter(({ at }) => sk === `DAY#${String(at).slice(0, 10)}`).length;
    if (Number(count) !== ofDay) differences.push(`${sk} counts ${count}, the ledger ${ofDay}`);
  }
  const places = new Set(entries.map(({ details }) => details.place));
  if (visits.length !== places.size) differences.push(`${visits.length} visits of ${places.size} places`);
  for (const { id } of visits)
    if (!entries.some((entry) => entry['id'] === id)) differences.push(`visit ${id} earned nothing`);
  return differences;
}

export type PlacesDesk = Awaited<ReturnType<typeof openPlacesDesk>>;

/** The tables in an engine, whose calls are not checked for permissions on their way: that takes most of their time. */
export async function openPlacesDesk() {
  const choice = ownTables(null).dynamodb ?? chosenEngine(process.env);
  const engine = await Engine.start(choice, null);
  const accessKeyId = (typeof choice === 'object' && choice.accessKeyId) || 'local';
  const clientOptions = () => ({
    endpoint: engine.url,
    region: REGION,
    credentials: { accessKeyId, secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: PATIENT,
  });
  await createTable({ clientOptions }, 'accounts');
  await createPlacesTable({ clientOptions }, 'places');
  const client = dynamoDbClient(clientOptions());
  const tables: Tables = { places: { name: 'places', client }, accounts: { name: 'accounts', client } };
  const deps = checkInDeps(tables);
  let writes = 0;

  return {
    ...tables,
    clientOptions,
    deps,
    close: () => engine.close(),

    /** Stores a place, or other fields of the one with this id. */
    async place(tenant: string, fields: Partial<PlaceInput> = {}): Promise<Place> {
      writes += 1;
      const input = placeInput(tenant, fields);
      await placeWrites(tables.places).store(input, versionOf(isoTime(Date.UTC(2026, 0, 1) + writes), 'test'));
      const { place } = (await placeStore(tables.places).byId(input)) ?? {};
      if (!place) throw new Error('The place was not stored.');
      return place;
    },

    /** As a list of places leaves it: the customer is here now. */
    stand: (caller: Caller, at: Point, now: number, listed: readonly string[] = []) =>
      keepListing(tables.places, keyOf(caller), { ...at, at: now, places: listed }),

    checkIn: (call: CheckInCall) => outcomeOf(checkIn(deps, call)),
    records: (caller: Caller) => recordsOf(tables, keyOf(caller)),
    everything: () => everything(tables),
  };
}
