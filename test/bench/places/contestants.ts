/** Ways to find the nearest places in the table, all with the same filter, order and cut. */
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { covering } from '../../../functions/places/geo/cells.ts';
import type { Point } from '../../../functions/places/geo/distance.ts';
import { keysOf } from '../../../functions/places/nearby/index-range.ts';
import { nearby } from '../../../functions/places/nearby/nearby.ts';
import { type Near, type NearQuery, nearestOf } from '../../../functions/places/nearby/nearest-places.ts';
import { placeIndex } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import { CELL } from '../../../functions/places/table-keys.ts';
import { marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { withMiddleware } from '../../support/faults/mortal-clients.ts';
import { itemBytes } from '../costs/dynamodb-units.ts';
import { TENANT } from './generated-places.ts';
import { geohashCover, h3Cover, type KeyRange } from './peer-coverings.ts';

type ListedPlace = Point & { readonly id: string };

export interface Contestant {
  readonly name: string;
  readonly list: (table: Table, query: NearQuery<ListedPlace>) => Promise<readonly Near<ListedPlace>[]>;
}

const RANGES = 8;

export const CONTESTANTS: readonly Contestant[] = [
  { name: 'ours', list: (table, query) => nearby(placeIndex(table, TENANT), query) },
  whole('S2, all of 8 ranges', { index: 'Cells', partition: 'cell', sort: 'leaf' }, (centre, radius) =>
    covering(centre, radius, RANGES)
      .map(keysOf)
      .map(({ cell, from, to }) => ({ partition: `${CELL}${TENANT}#${cell}`, from, to })),
  ),
  whole('geohash cover', { index: 'Geohash', partition: 'geohashCell', sort: 'geohash' }, geohashCover),
  whole('H3 cover', { index: 'Hexagons', partition: 'h3Cell', sort: 'h3' }, h3Cover),
];

interface IndexNames {
  readonly index: string;
  readonly partition: string;
  readonly sort: string;
}

/** Reads all that is in the ranges of a circle, at the same time, before it sorts and cuts. */
function whole(
  name: string,
  names: IndexNames,
  cover: (centre: Point, radiusMeters: number) => KeyRange[],
): Contestant {
  return {
    name,
    async list(table, query) {
      const ranges = cover(query.centre, query.radiusMeters);
      const places = await Promise.all(ranges.map((range) => readRange(table, names, range)));
      return nearestOf(places.flat(), query);
    },
  };
}

async function readRange(
  table: Table,
  { index, partition, sort }: IndexNames,
  range: KeyRange,
): Promise<ListedPlace[]> {
  const places: ListedPlace[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const { Items: items = [], LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: index,
        KeyConditionExpression: `${partition} = :partition AND ${sort} BETWEEN :from AND :to`,
        ExpressionAttributeValues: marshalled({ ':partition': range.partition, ':from': range.from, ':to': range.to }),
        ExclusiveStartKey: start as never,
      }),
    );
    for (const item of items) places.push(unmarshall(item) as ListedPlace);
    start = last;
  } while (start);
  return places;
}

/** What listings take of the table. */
export interface Reads {
  calls: number;
  items: number;
  /** Eventually consistent, by the bytes of the items in the index. */
  units: number;
}

const READ_BYTES = 4_096;

/** The table, with all its queries counted. */
export function countedTable({ name, client }: Table): { readonly table: Table; readonly reads: Reads } {
  const reads: Reads = { calls: 0, items: 0, units: 0 };
  const counting = (next: Next) => async (call: unknown) => {
    const result = await next(call);
    const { Items: items = [] } = result.output;
    const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
    reads.calls += 1;
    reads.items += items.length;
    reads.units += Math.max(1, Math.ceil(bytes / READ_BYTES)) / 2;
    return result;
  };
  return { table: { name, client: withMiddleware(client, 'reads', counting) }, reads };
}

type Next = (call: unknown) => Promise<{ readonly output: { readonly Items?: Parameters<typeof itemBytes>[0][] } }>;
