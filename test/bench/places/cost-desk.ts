/** What a listing and a check-in of the cost bench work on: a city of a thousand places, and customers with some visits. */
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Activity } from '../../../cdk/local/activity.ts';
import { Clock } from '../../../cdk/local/clock.ts';
import { Deliveries } from '../../../cdk/local/events/deliveries.ts';
import { EventBuses } from '../../../cdk/local/events/event-buses.ts';
import { EventsService } from '../../../cdk/local/events/events-service.ts';
import { Targets } from '../../../cdk/local/events/targets.ts';
import { adUnitStore } from '../../../functions/places/ad-units/ad-unit-store.dynamodb.ts';
import type { Place } from '../../../functions/places/catalog/place.ts';
import { placeKey } from '../../../functions/places/catalog/place-items.dynamodb.ts';
import { placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { versionOf } from '../../../functions/places/catalog/place-writes.ts';
import { lastCheckInKey } from '../../../functions/places/check-in-rules/standing-items.dynamodb.ts';
import { positionOf } from '../../../functions/places/geo/cells.ts';
import { CELL } from '../../../functions/places/table-keys.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { appKey } from '../../../shared/loyalty/app-items.dynamodb.ts';
import { appSecretHash } from '../../../shared/loyalty/app-secret.ts';
import { customerKey } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import {
  dynamoDbClient,
  getItem,
  type Item,
  marshalled,
  putNewItem,
  type Table,
} from '../../../shared/table/table.dynamodb.ts';
import { ACCOUNT_ID, REGION, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { pointAt } from '../../support/places/place-clouds.ts';
import { CENTRE, newApp, newCaller, openPlacesDesk } from '../../support/places/places-desk.ts';
import { AwsLedger } from '../costs/aws-ledger.ts';
import { Random } from '../records/generated-businesses.ts';
import { fieldsOf, idOf, TENANT } from './generated-places.ts';
import { newPlacesInstance } from './places-instance.ts';
import { Waits } from './waits.ts';

const RADIUS_METERS = 5_000;
const WITHIN_RADIUS = 1_000;
/** As dense, and beyond the circle. */
const AROUND = 1_000;
const CUSTOMERS_WITHIN_METERS = 400;
const VISITS = 3;
const PROMOTED = 10;
const DAY_MILLIS = 86_400_000;
/** Items that one call of DynamoDB writes at most. */
const BATCH_MAX = 25;
const SECRET = 'the secret of the app of the bench';

export type CostDesk = Awaited<ReturnType<typeof openCostDesk>>;

export async function openCostDesk() {
  const desk = await openPlacesDesk();
  const bus = await openBus();
  const app = newApp({ checkInsPerBrandAndDay: 5 }, TENANT);
  const places = cityPlaces();
  await storePlaces(desk.places, places);
  await putNewItem(desk.accounts, { ...appKey(app.id), ...app, secretHash: appSecretHash(SECRET) });
  await promote(desk, places.slice(0, PROMOTED));
  const ledger = new AwsLedger(
    [
      { name: 'Listing', keys: ['list', 'position'], projected: 'all' },
      { name: 'Cells', keys: ['cell', 'leaf'], projected: [] },
    ],
    dynamoDbClient(desk.clientOptions()),
  );
  const waits = new Waits();
  // Outermost, so that what the ledger looks up is not waited for.
  const counted = () => waits.bind(ledger.bind(dynamoDbClient(desk.clientOptions())));
  const busClient = waits.bind(ledger.bind(new EventBridgeClient(bus.clientOptions())));
  const near = places.filter(({ meters }) => meters <= CUSTOMERS_WITHIN_METERS && meters > 0);

  return {
    ledger,
    waits,
    app,
    credentials: { id: app.id, secret: SECRET },
    /** One instance of each function, with nothing in its caches. */
    newInstance() {
      const client = counted();
      const tables = { places: { ...desk.places, client }, accounts: { ...desk.accounts, client } };
      return newPlacesInstance(tables, { client: busClient, name: 'default' });
    },
    /** A customer who has checked in on days before, and stands at a place now. */
    async customer(n: number) {
      const { caller, item } = newCustomer(app);
      await putNewItem(desk.accounts, item);
      for (let visit = VISITS; visit > 0; visit -= 1) {
        const then = Date.now() - visit * DAY_MILLIS;
        const place = near[(n + visit) % near.length]!;
        await desk.stand(caller, place, then);
        const outcome = await desk.checkIn({ caller, place, now: then });
        if ('code' in outcome) throw new Error(outcome.code);
      }
      return { id: caller.customer.id, place: near[n % near.length]! };
    },
    /** The item that the table's stream tells of. */
    async visit(customer: string, place: string): Promise<Item> {
      const item = await getItem(desk.places, lastCheckInKey({ tenant: TENANT, id: customer }, place));
      if (!item) throw new Error('The visit is missing.');
      return item;
    },
    async close() {
      await bus.close();
      await desk.close();
    },
  };
}

/** Stores the first place as the product does and the others like it, 25 in a call. */
async function storePlaces(table: Table, [first, ...others]: readonly ReturnType<typeof cityPlaces>[number][]) {
  if (!first) return;
  const { venueId: _, meters: _distance, ...input } = first;
  await placeWrites(table).store(input, versionOf(isoTime(Date.now()), 'bench'));
  const stored = await getItem(table, placeKey(first));
  const items = others.map(({ meters: _meters, ...place }) => {
    const { cell, leaf } = positionOf(place);
    const index = { cell: `${CELL}${TENANT}#${cell}`, leaf: `${leaf}#${place.id}` };
    return { ...stored, ...place, ...placeKey(place), ...index, position: `${stored?.['createdAt']}#${place.id}` };
  });
  for (let i = 0; i < items.length; i += BATCH_MAX) {
    const batch = items.slice(i, i + BATCH_MAX).map((item) => ({ PutRequest: { Item: marshalled(item) } }));
    await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: batch } }));
  }
}

/** Evenly spread: a thousand in the circle, and as many around it. */
function cityPlaces(): (Omit<Place, 'createdAt' | 'updatedAt'> & { readonly meters: number })[] {
  const random = new Random(5);
  return Array.from({ length: WITHIN_RADIUS + AROUND }, (_, n) => {
    const meters = RADIUS_METERS * Math.sqrt((n + 0.5) / WITHIN_RADIUS);
    const point = pointAt(CENTRE, meters, 2 * Math.PI * random.next());
    const key = { tenant: TENANT, id: idOf(n) };
    return { ...key, ...point, ...fieldsOf(random), closed: false, venueId: n + 1, meters };
  });
}

function newCustomer(app: ReturnType<typeof newApp>) {
  const caller = newCaller(app, { externalId: `crm-${newId('x')}` });
  const { id, externalId } = caller.customer;
  const at = isoTime(Date.now());
  const fields = { id, tenant: TENANT, externalId, email: 'someone@example.com', attributes: '{"tier":"gold"}' };
  return { caller, item: { ...customerKey({ tenant: TENANT, id }), ...fields, createdAt: at, updatedAt: at } };
}

async function promote({ places }: Awaited<ReturnType<typeof openPlacesDesk>>, promoted: readonly { id: string }[]) {
  const at = isoTime(Date.now());
  await adUnitStore(places).add({
    tenant: TENANT,
    id: newId('adu'),
    creativeId: 8_123_456_789,
    revision: 1,
    name: 'Autumn',
    placeIds: promoted.map(({ id }) => id),
    startsAt: null,
    endsAt: null,
    createdAt: at,
    updatedAt: at,
  });
}

export async function openBus() {
  const endpoint = await startLocalEndpoint();
  const clock = new Clock();
  const targets = new Targets();
  const deliveries = new Deliveries({ targets, dataDir: null, clock, activity: new Activity(), report: console.error });
  const buses = new EventBuses({ region: REGION, accountId: ACCOUNT_ID, deliveries, now: clock.now });
  endpoint.add(new EventsService(buses));
  return endpoint;
}
