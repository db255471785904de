import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItems, type Item, type Key, marshalled, type Table } from '#shared/table.dynamodb';
import { STANDING } from '../table-keys.ts';
import { dayOf, type Standing } from './standing.ts';

/** Sort keys of a customer's partition: the counts of a UTC day, and the last check-in at a place. */
const DAY = 'DAY#';
export const VISIT = 'VISIT#';
/** The count of one brand is an attribute of its own, because a member of a map cannot be added to before the map exists. */
const BRAND = 'brand#';
/** Where the customer was at one check-in, by its id. */
const SEEN = 'seen#';

/** Items that are read in one go. Few customers have more: what is out of date expires. */
const READ_MAX = 100;

export const standingPartition = ({ tenant, id }: TenantKey) => `${STANDING}${tenant}#${id}`;
export const dayKey = (customer: TenantKey, now: number): Key => ({
  pk: standingPartition(customer),
  sk: `${DAY}${dayOf(now)}`,
});
export const visitKey = (customer: TenantKey, place: string): Key => ({
  pk: standingPartition(customer),
  sk: `${VISIT}${place}`,
});
export const brandAttribute = (brand: string): string => `${BRAND}${brand}`;

export const seenAttribute = (checkIn: string): string => `${SEEN}${checkIn}`;

const DayItem = z.looseObject({ count: z.int() });
const VisitItem = z.object({ place: z.string(), nextAt: z.int() });

/** The standing that these items of a customer tell of. */
export function standingIn(items: readonly Item[], now: number): Standing {
  const day = items.find(({ sk }) => sk === `${DAY}${dayOf(now)}`);
  const { count, ...counts } = day ? DayItem.parse(day) : { count: 0 };
  const brands = Object.entries(counts).filter(([name]) => name.startsWith(BRAND));
  const visits = items.filter(({ sk }) => String(sk).startsWith(VISIT)).map((item) => VisitItem.parse(item));
  return {
    nextAt: new Map(visits.map(({ place, nextAt }) => [place, nextAt])),
    dayCount: count,
    brandCounts: new Map(brands.map(([name, value]) => [name.slice(BRAND.length), Number(value)])),
  };
}

/** What customers have done, as it is now (strongly consistent). */
export const standingStore = (table: Table) => ({
  /** All of it, by one read; undefined for a customer with very many check-ins. */
  async whole(customer: TenantKey, now: number): Promise<Standing | undefined> {
    const { Items: items = [], LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ConsistentRead: true,
        // Earlier days sort before this one, and all days before the visits.
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

  /** What concerns these places. */
  async at(customer: TenantKey, places: readonly string[], now: number): Promise<Standing> {
    const keys = [dayKey(customer, now), ...places.map((place) => visitKey(customer, place))];
    return standingIn(await getItems(table, keys), now);
  },
});
