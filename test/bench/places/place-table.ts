/** The table of places with generated places in it, on a table engine that is called directly. */
import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { Engine } from '../../../cdk/local/dynamodb/engine.ts';
import { chosenEngine } from '../../../cdk/local/dynamodb/engine-choice.ts';
import { venueIdOf } from '../../../functions/places/catalog/place.ts';
import { placeKey } from '../../../functions/places/catalog/place-items.dynamodb.ts';
import { positionOf } from '../../../functions/places/geo/cells.ts';
import { INDEXED_FIELDS } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import { CELL } from '../../../functions/places/table-keys.ts';
import { marshalled, type Table } from '../../../shared/table.dynamodb.ts';
import { createTable } from '../../support/local-table.ts';
import { type GeneratedPlaces, TENANT } from './generated-places.ts';
import { geohashKeys, h3Keys } from './peer-coverings.ts';

const BATCH = 25;
const WRITERS = 6;
const ENDPOINT = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
};

export interface LoadedTable extends Table {
  readonly seconds: number;
  close(): Promise<void>;
}

/** All places in one table, each also in the indexes of the peers. */
export async function loadedTable(places: GeneratedPlaces): Promise<LoadedTable> {
  const engine = await Engine.start(chosenEngine(process.env), null);
  const indexes = [
    { name: 'Cells', partition: 'cell', sort: 'leaf', attributes: INDEXED_FIELDS },
    { name: 'Geohash', partition: 'geohashCell', sort: 'geohash', attributes: INDEXED_FIELDS },
    { name: 'Hexagons', partition: 'h3Cell', sort: 'h3', attributes: INDEXED_FIELDS },
  ];
  const table = await createTable({ clientOptions: () => ({ ...ENDPOINT, endpoint: engine.url }) }, 'places', {
    indexes,
  });
  const start = performance.now();
  let next = 0;
  const write = async () => {
    for (let from = (next += BATCH) - BATCH; from < places.count; from = (next += BATCH) - BATCH) {
      const requests = Array.from({ length: Math.min(BATCH, places.count - from) }, (_, n) =>
        writeOf(places, from + n),
      );
      await writeAll(table, requests);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return { ...table, seconds: (performance.now() - start) / 1_000, close: () => engine.close() };
}

async function writeAll(table: Table, requests: WriteRequest[]): Promise<void> {
  for (let left = requests; left.length > 0; ) {
    const { UnprocessedItems: unprocessed = {} } = await table.client.send(
      new BatchWriteItemCommand({ RequestItems: { [table.name]: left } }),
    );
    left = unprocessed[table.name] ?? [];
  }
}

const CREATED = '2026-11-10T12:00:00.000Z';

/** What `place-store.dynamodb.ts` stores of it, but for the list of all places, and the keys of the peers. */
function writeOf(places: GeneratedPlaces, n: number): WriteRequest {
  const place = places.place(n);
  const { cell, leaf } = positionOf(place);
  const item = {
    ...placeKey(place),
    ...place,
    cell: `${CELL}${TENANT}#${cell}`,
    leaf: `${leaf}#${place.id}`,
    venueId: venueIdOf(place),
    version: `${CREATED}#${place.id}`,
    createdAt: CREATED,
    updatedAt: CREATED,
    ...geohashKeys(place),
    ...h3Keys(place),
  };
  return { PutRequest: { Item: marshalled(item) } };
}
