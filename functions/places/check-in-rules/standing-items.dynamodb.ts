import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItems, type Item, type Key, marshalled, type Table } from '#shared/table/table.dynamodb';
import { STANDING } from '../table-keys.ts';
import { dayOf, type Standing } from './standing.ts';

/** Sort keys in a customer's partition: the counts of a UTC day, and the last check-in at a place. */
const DAY = 'DAY#';
export const LAST_CHECK_IN = 'VISIT#';
/**
 * Each brand has its own attribute for its count, because DynamoDB cannot increment a member of a map that does not
 * exist.
 */
const BRAND = 'brand#';
/** The attribute, per check-in id, with the customer's position. */
const POSITION = 'seen#';

/** The number of items that one read returns. Few customers have more, because old items expire. */
const READ_MAX = 100;

export const standingPartition = ({ tenant, id }: TenantKey) => `${STANDING}${tenant}#${id}`;
export const dayKey = (customer: TenantKey, now: number): Key => ({
  pk: standingPartition(customer),
  sk: `${DAY}${dayOf(now)}`,
});
export const lastCheckInKey = (customer: TenantKey, place: string): Key => ({
  pk: standingPartition(customer),
  sk: `${LAST_CHECK_IN}${place}`,
});
export const brandAttribute = (brand: string): string => `${BRAND}${brand}`;

export const positionAttribute = (checkIn: string): string => `${POSITION}${checkIn}`;

const DayItem = z.looseObject({ count: z.int() });
const LastCheckInItem = z.object({ place: z.string(), nextAt: z.int() });

/** The standing that these items of a customer describe. */
export function standingIn(items: readonly Item[], now: number): Standing {
  const day = items.find(({ sk }) => sk === `${DAY}${dayOf(now)}`);
  const { count, ...counts } = day ? DayItem.parse(day) : { count: 0 };
  const brands = Object.entries(counts).filter(([name]) => name.startsWith(BRAND));
  const lastCheckIns = items
    .filter(({ sk }) => String(sk).startsWith(LAST_CHECK_IN))
    .map((item) => LastCheckInItem.parse(item));
  return {
    nextAt: new Map(lastCheckIns.map(({ place, nextAt }) => [place, nextAt])),
    dayCount: count,
    brandCounts: new Map(brands.map(([name, value]) => [name.slice(BRAND.length), Number(value)])),
  };
}

/** Reads the standing of customers (strongly consistent). */
export const standingStore = (table: Table) => ({
  /** The whole standing in one read; undefined if the customer has too many check-ins. */
  async whole(customer: TenantKey, now: number): Promise<Standing | undefined> {
    const { Items: items = [], LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ConsistentRead: true,
        // Earlier days sort before this one, and all days before the last check-ins.
        KeyConditionExpression: 'pk = :pk AND sk >= :today',
        ExpressionAttributeValues: marshalled({
          ':pk': standingPartition(customer),
          ':today': dayKey(customer, now).sk,
        }),
        Limit: READ_MAX,
      }),
    );
    const read = items.map((item) => unmarshall(item));
    return last ? undefined : standingIn(read, now);
  },

  /** The standing at these places. */
  async at(customer: TenantKey, places: readonly string[], now: number): Promise<Standing> {
    const keys = [dayKey(customer, now), ...places.map((place) => lastCheckInKey(customer, place))];
    return standingIn(await getItems(table, keys), now);
  },
});
