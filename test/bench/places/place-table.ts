/** The table of places with generated places in its indexes, on a table engine of its own. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { Engine } from '../../../cdk/local/dynamodb/engine.ts';
import { dynoxideFile } from '../../../cdk/local/dynamodb/engine-choice.ts';
import { placeKey } from '../../../functions/places/catalog/place-items.dynamodb.ts';
import { positionOf } from '../../../functions/places/geo/cells.ts';
import { INDEXED_FIELDS } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import { CELL } from '../../../functions/places/table-keys.ts';
import { dynamoDbClient, marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { PATIENT } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import type { StoredItem } from '../costs/dynamodb-units.ts';
import { type GeneratedPlaces, TENANT } from './generated-places.ts';
import { geohashKeys, h3Keys } from './peer-coverings.ts';

interface Index {
  readonly name: string;
  readonly partition: string;
  readonly sort: string;
  readonly attributes: readonly string[];
}

/** Ours, and those of the peers. */
const INDEXES: readonly Index[] = [
  { name: 'Cells', partition: 'cell', sort: 'leaf', attributes: INDEXED_FIELDS },
  { name: 'Geohash', partition: 'geohashCell', sort: 'geohash', attributes: INDEXED_FIELDS },
  { name: 'Hexagons', partition: 'h3Cell', sort: 'h3', attributes: INDEXED_FIELDS },
];
const NAME = 'places';

export interface LoadedTable extends Table {
  readonly seconds: number;
  close(): Promise<void>;
}

/**
 * The engine takes some 600 items a second, half an hour for a million. So its file, a SQLite database, is filled while
 * the engine does not run: with the rows of the indexes, as the engine writes them, and nothing besides. A row of the
 * engine's own is compared with ours.
 */
export async function loadedTable(places: GeneratedPlaces): Promise<LoadedTable> {
  const folder = await mkdtemp(join(tmpdir(), 'places-'));
  const start = performance.now();
  await prepare(folder, places);
  fill(dynoxideFile(folder), places);
  const engine = await Engine.start('dynoxide', folder);
  return {
    name: NAME,
    client: dynamoDbClient({ ...optionsOf(engine), requestHandler: PATIENT }),
    seconds: (performance.now() - start) / 1_000,
    async close() {
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
}

const optionsOf = ({ url }: Engine) => ({
  endpoint: url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

/** Makes the table, and lets the engine itself store the first place. */
async function prepare(folder: string, places: GeneratedPlaces): Promise<void> {
  const engine = await Engine.start('dynoxide', folder);
  try {
    const table = await createTable({ clientOptions: () => optionsOf(engine) }, NAME, { indexes: INDEXES });
    await table.client.send(new PutItemCommand({ TableName: NAME, Item: itemOf(places, 0) }));
  } finally {
    await engine.close();
  }
}

interface Row {
  readonly gsi_pk: string;
  readonly gsi_sk: string;
  readonly table_pk: string;
  readonly table_sk: string;
  readonly item_json: string;
}

/** Unordered at first: SQLite sorts faster than it inserts in random order. */
function fill(file: string, places: GeneratedPlaces): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA temp_store = FILE');
  const inserts = INDEXES.map((index) => {
    const rows = rowsOf(index);
    const engines = database.prepare(`SELECT * FROM ${rows}`).get() as unknown as Row;
    const ours = rowOf(itemOf(places, 0), index);
    if (!isSameRow(engines, ours)) throw new Error(`The engine stores ${JSON.stringify(engines)}.`);
    database.exec(`DELETE FROM ${rows}; CREATE TEMP TABLE ${index.name} AS SELECT * FROM ${rows}`);
    return database.prepare(`INSERT INTO ${index.name} VALUES (?, ?, ?, ?, ?)`);
  });
  database.exec('BEGIN');
  for (let n = 0; n < places.count; n += 1) {
    const item = itemOf(places, n);
    for (const [at, index] of INDEXES.entries()) {
      const row = rowOf(item, index);
      inserts[at]!.run(row.gsi_pk, row.gsi_sk, row.table_pk, row.table_sk, row.item_json);
    }
  }
  for (const index of INDEXES) {
    database.exec(`INSERT INTO ${rowsOf(index)} SELECT * FROM temp.${index.name} ORDER BY gsi_pk, gsi_sk`);
  }
  database.exec('COMMIT');
  database.close();
}

const rowsOf = ({ name }: Index) => `main."${NAME}::gsi::${name}"`;

/** The order of members in an item means nothing. */
const isSameRow = ({ item_json: one, ...a }: Row, { item_json: other, ...b }: Row) =>
  isDeepStrictEqual({ ...a }, b) && isDeepStrictEqual(JSON.parse(one), JSON.parse(other));

function rowOf(item: StoredItem, index: Index): Row {
  const held = ['pk', 'sk', index.partition, index.sort, ...index.attributes];
  const entries = held.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]] as const]));
  const key = (name: string) => `S:${item[name]?.S}`;
  return {
    gsi_pk: key(index.partition),
    gsi_sk: key(index.sort),
    table_pk: key('pk'),
    table_sk: key('sk'),
    item_json: JSON.stringify(Object.fromEntries(entries)),
  };
}

const CREATED = '2026-11-10T12:00:00.000Z';

/** What `place-store.dynamodb.ts` stores of it, but for the list of all places, and with the keys of the peers. */
function itemOf(places: GeneratedPlaces, n: number): StoredItem {
  const place = places.place(n);
  const { cell, leaf } = positionOf(place);
  return marshalled({
    ...placeKey(place),
    ...place,
    cell: `${CELL}${TENANT}#${cell}`,
    leaf: `${leaf}#${place.id}`,
    venueId: n + 1,
    version: `${CREATED}#${place.id}`,
    createdAt: CREATED,
    updatedAt: CREATED,
    ...geohashKeys(place),
    ...h3Keys(place),
  });
}
