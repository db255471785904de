import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { TenantKey } from '#shared/ids';
import { pointsWrites } from '#shared/loyalty/points-items.dynamodb';
import { getItems, marshalled, type Table, transact } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import { placeIn, placeKey } from '../catalog/place-items.dynamodb.ts';
import { listingIn, listingKey } from '../standing/last-listings.dynamodb.ts';
import { brandAttribute, dayKey, seenAttribute, standingIn, visitKey } from '../standing/standing-items.dynamodb.ts';
import type { CheckIn, Evidence } from './check-in.ts';

const DAY_SECONDS = 86_400;
/** Coordinates are kept for 30 days at most, and DynamoDB removes what has expired within a few days. */
const COORDINATES_DAYS = 26;

/** What a check-in is decided by: four items, one read (strongly consistent). */
export async function evidenceOf(
  table: Table,
  customer: TenantKey,
  { placeId, now }: { placeId: string; now: number },
): Promise<Evidence> {
  const place = placeKey({ tenant: customer.tenant, id: placeId });
  const listing = listingKey(customer);
  const items = await getItems(table, [place, listing, dayKey(customer, now), visitKey(customer, placeId)]);
  const [placeItem, listingItem] = [place, listing].map((key) => items.find(({ pk }) => pk === key.pk));
  return {
    place: placeItem && placeIn(placeItem),
    listing: listingItem && listingIn(listingItem),
    standing: standingIn(items, now),
  };
}

/** Where check-ins are written. */
interface Tables {
  readonly places: Table;
  /** The name of the table of apps and customers, which keeps the points. */
  readonly accounts: string;
}

/**
 * Writes a check-in: the visit, with the time before which there is no other one at this place; the counts of the day;
 * the points. One transaction, so that there is all of it or nothing, and no two check-ins can use one free place of a
 * limit. False if a limit forbids it by now.
 */
export async function commitCheckIn({ places, accounts }: Tables, checkIn: CheckIn): Promise<boolean> {
  const writes = [
    visitWrite(places.name, checkIn),
    dayWrite(places.name, checkIn),
    ...pointsWrites(accounts, earned(checkIn)),
  ];
  return (await transact(places, writes)).done;
}

const customerKeyOf = ({ tenant, customer }: CheckIn): TenantKey => ({ tenant, id: customer.id });

/** The item also tells the stream of the check-in: see the room `announcements`. */
function visitWrite(tableName: string, checkIn: CheckIn): TransactWriteItem {
  const { id, tenant, app, customer, place, creativeId, at, nextAt, distance } = checkIn;
  return {
    Put: {
      TableName: tableName,
      Item: marshalled({
        ...visitKey(customerKeyOf(checkIn), place.id),
        id,
        tenant,
        app,
        customer: customer.id,
        externalId: customer.externalId,
        place: place.id,
        placeName: place.name,
        brand: place.brand,
        points: place.points,
        creativeId,
        distance: Math.round(distance),
        at: isoTime(at),
        nextAt,
        ttl: Math.ceil(nextAt / 1_000) + DAY_SECONDS,
      }),
      ConditionExpression: 'attribute_not_exists(nextAt) OR nextAt <= :now',
      ExpressionAttributeValues: marshalled({ ':now': at }),
    },
  };
}

/** Counts the check-in for its day, and keeps where the customer was: the item outlives its day for that alone. */
function dayWrite(tableName: string, checkIn: CheckIn): TransactWriteItem {
  const { id, place, at, dayLimit, brandLimit } = checkIn;
  const hasBrand = place.brand !== '';
  const limitsBrand = hasBrand && brandLimit > 0;
  const below = (name: string, limit: string) => `(attribute_not_exists(${name}) OR ${name} < ${limit})`;
  return {
    Update: {
      TableName: tableName,
      Key: marshalled(dayKey(customerKeyOf(checkIn), at)),
      UpdateExpression: `ADD #count :one${hasBrand ? ', #brand :one' : ''} SET #ttl = :ttl, #seen = :seen`,
      ConditionExpression: [below('#count', ':limit'), ...(limitsBrand ? [below('#brand', ':brandLimit')] : [])].join(
        ' AND ',
      ),
      ExpressionAttributeNames: {
        '#count': 'count',
        '#ttl': 'ttl',
        '#seen': seenAttribute(id),
        ...(hasBrand && { '#brand': brandAttribute(place.brand) }),
      },
      ExpressionAttributeValues: marshalled({
        ':one': 1,
        ':limit': dayLimit,
        ...(limitsBrand && { ':brandLimit': brandLimit }),
        ':seen': coordinatesOf(checkIn),
        ':ttl': Math.ceil(at / 1_000) + COORDINATES_DAYS * DAY_SECONDS,
      }),
    },
  };
}

/** `52.52,13.405,8`: latitude, longitude, and accuracy where the device stated one. Short, so that a day fits into 1 KB. */
const coordinatesOf = ({ listing: { latitude, longitude, accuracy } }: CheckIn): string =>
  [latitude, longitude, accuracy].filter((one) => one !== undefined).join();

/** The entry of the ledger is the lasting record of a check-in, with what it was decided by, but for the coordinates. */
function earned({ id, tenant, app, customer, place, listing, distance, at, creativeId }: CheckIn) {
  return {
    tenant,
    customer: customer.id,
    id,
    points: place.points,
    source: 'check-in' as const,
    at: isoTime(at),
    details: {
      app,
      place: place.id,
      listedAt: isoTime(listing.at),
      wasListed: listing.places.includes(place.id),
      distance: Math.round(distance),
      ...(creativeId !== undefined && { creativeId }),
    },
  };
}
