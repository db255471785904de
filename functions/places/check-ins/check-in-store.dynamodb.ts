import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import { pointsWrites } from '#shared/loyalty/points-ledger.dynamodb';
import { getItems, type Table, transact } from '#shared/table/table.dynamodb';
import { putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import { currentOrigin } from '#shared/telemetry/origin';
import { placeIn, placeKey } from '../catalog/place-items.dynamodb.ts';
import { listingIn, listingKey } from '../check-in-rules/last-listings.dynamodb.ts';
import {
  brandAttribute,
  dayKey,
  lastCheckInKey,
  positionAttribute,
  standingIn,
} from '../check-in-rules/standing-items.dynamodb.ts';
import type { CheckIn, Evidence } from './check-in.ts';

const DAY_SECONDS = 86_400;
/** Coordinates may be kept for 30 days, and DynamoDB removes expired items within a few days. */
const COORDINATES_DAYS = 26;

/** Reads the four items that decide a check-in (strongly consistent). */
export async function evidenceOf(
  table: Table,
  customer: TenantKey,
  { placeId, now }: { placeId: string; now: number },
): Promise<Evidence> {
  const place = placeKey({ tenant: customer.tenant, id: placeId });
  const listing = listingKey(customer);
  const items = await getItems(table, [place, listing, dayKey(customer, now), lastCheckInKey(customer, placeId)]);
  const [placeItem, listingItem] = [place, listing].map((key) => items.find(({ pk }) => pk === key.pk));
  return {
    place: placeItem && placeIn(placeItem),
    listing: listingItem && listingIn(listingItem),
    standing: standingIn(items, now),
  };
}

/** The tables to which a check-in is written. */
interface Tables {
  readonly places: Table;
  /** The name of the table with apps and customers, which also holds the points. */
  readonly accounts: string;
}

/**
 * Writes a check-in in one transaction: the last check-in at the place, the counts of the day, and the points. So it is
 * stored completely or not at all, and two check-ins cannot both take the last remaining one of a limit. False if a
 * limit forbids it by now.
 */
export async function commitCheckIn({ places, accounts }: Tables, checkIn: CheckIn): Promise<boolean> {
  const writes = [
    lastCheckInWrite(places.name, checkIn),
    dayWrite(places.name, checkIn),
    ...pointsWrites(accounts, earned(checkIn)),
  ];
  return (await transact(places, writes)).done;
}

const customerKeyOf = ({ tenant, customer }: CheckIn): TenantKey => ({ tenant, id: customer.id });

/** The stream announces the check-in from this item: see the folder `announcements`. */
function lastCheckInWrite(tableName: string, checkIn: CheckIn): TransactWriteItem {
  const { id, tenant, app, customer, place, creativeId, at, nextAt, distance } = checkIn;
  const item = {
    ...lastCheckInKey(customerKeyOf(checkIn), place.id),
    id,
    tenant,
    ...currentOrigin(),
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
  };
  const isAllowed = { condition: 'attribute_not_exists(nextAt) OR nextAt <= :now', values: { now: at } };
  return putWrite(tableName, item, isAllowed);
}

/**
 * Counts the check-in for its day and stores the customer's position. The item outlives its day only for the position.
 */
function dayWrite(tableName: string, checkIn: CheckIn): TransactWriteItem {
  const { id, place, at, dayLimit, brandLimit } = checkIn;
  const hasBrand = place.brand !== '';
  const limitsBrand = hasBrand && brandLimit > 0;
  const below = (name: string, limit: string) => `(attribute_not_exists(${name}) OR ${name} < ${limit})`;
  return updateWrite(tableName, dayKey(customerKeyOf(checkIn), at), {
    change: `ADD #count :one${hasBrand ? ', #brand :one' : ''} SET #ttl = :ttl, #seen = :seen`,
    condition: [below('#count', ':limit'), ...(limitsBrand ? [below('#brand', ':brandLimit')] : [])].join(' AND '),
    names: { seen: positionAttribute(id), brand: brandAttribute(place.brand) },
    values: {
      one: 1,
      limit: dayLimit,
      ...(limitsBrand && { brandLimit }),
      seen: coordinatesOf(checkIn),
      ttl: Math.ceil(at / 1_000) + COORDINATES_DAYS * DAY_SECONDS,
    },
  });
}

/**
 * Formats latitude, longitude and, if known, accuracy: `52.52,13.405,8`. The text is short so that a day fits into 1
 * KB.
 */
const coordinatesOf = ({ listing: { latitude, longitude, accuracy } }: CheckIn): string =>
  [latitude, longitude, accuracy].filter((one) => one !== undefined).join();

/**
 * The ledger entry is the permanent record of a check-in, with the facts that decided it, except for the coordinates.
 */
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
