import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { marshalled, type Table } from '#shared/table/table.dynamodb';
import { CELL } from '../table-keys.ts';
import type { PlaceIndex } from './nearby.ts';

/** The members of a place in the index `Cells`: everything that a listing shows and decides by. */
export const IndexedItem = z.object({
  id: z.string(),
  venueId: z.int(),
  name: z.string(),
  icon: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  brand: z.string(),
  points: z.int(),
  acceptedDistanceMeters: z.optional(z.int()),
  closed: z.boolean(),
});
export type IndexedPlace = z.output<typeof IndexedItem>;
export const INDEXED_FIELDS = Object.keys(IndexedItem.shape);

/** The places of a tenant in the index, which is eventually consistent. */
export const placeIndex = ({ client, name }: Table, tenant: string): PlaceIndex<IndexedPlace> => ({
  async read({ cell, from, to }, { limit, backwards = false }) {
    // DynamoDB refuses a range that ends before it starts.
    if (from > to) return { places: [] };
    const { Items: items = [], LastEvaluatedKey: last } = await client.send(
      new QueryCommand({
        TableName: name,
        IndexName: 'Cells',
        KeyConditionExpression: 'cell = :cell AND leaf BETWEEN :from AND :to',
        ExpressionAttributeValues: marshalled({ ':cell': `${CELL}${tenant}#${cell}`, ':from': from, ':to': to }),
        ScanIndexForward: !backwards,
        Limit: limit,
      }),
    );
    const readTo: unknown = last && unmarshall(last)['leaf'];
    return {
      places: items.map((item) => IndexedItem.parse(unmarshall(item))),
      ...(typeof readTo === 'string' && { readTo }),
    };
  },
});
