/** Point-in-time recovery: remembers what the items of tables were, so that a table can be restored to an earlier time. */
import type { DatabaseSync } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { openDatabase } from '../endpoint/database.ts';
import { isObject, type Json, type JsonObject, objectIn, objectsIn, textIn } from '../endpoint/json.ts';
import type { CallDynamoDb } from './time-to-live.ts';

/** AWS restores a table as it was some five minutes ago at the latest. */
const BEHIND_MILLIS = 5 * 60_000;

const BATCH_WRITE = 25;
const BATCH_GET = 100;

/** The last change of an item before a time says what it was then. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS changes
    (id INTEGER PRIMARY KEY, tableName TEXT NOT NULL, itemKey TEXT NOT NULL, at INTEGER NOT NULL, item TEXT);
  CREATE INDEX IF NOT EXISTS changesByKey ON changes (tableName, itemKey, id);`;

/** A written item: its key, or the item whole, of which the key is a part. */
export interface WrittenItem {
  readonly table: string;
  readonly attributes: JsonObject;
}

interface Options {
  /** False remembers nothing: every write costs a read more. */
  readonly remembers: boolean;
  readonly call: CallDynamoDb;
  /** The key of an item of a table. */
  readonly keyOf: (table: string, attributes: JsonObject) => JsonObject;
  readonly now: () => Date;
}

/** The changes are in memory, from when recovery is enabled for a table in this run. */
export class PointInTime {
  private readonly options: Options;
  private readonly enabled = new Set<string>();
  private readonly changes: DatabaseSync = openDatabase(null, SCHEMA);
  /** The time from which the changes of each table are remembered, in milliseconds. */
  private readonly earliest = new Map<string, number>();
  private lastNote: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.options = options;
  }

  /** Remembers the items of the table from now on; disabling it forgets them. */
  async enable(table: string, isEnabled: boolean): Promise<JsonObject> {
    if (isEnabled) this.enabled.add(table);
    else this.forget(table);
    if (isEnabled && this.options.remembers && !this.earliest.has(table)) {
      this.earliest.set(table, this.options.now().getTime());
      await this.inTurn(() => this.noteAll(table));
    }
    return this.describe(table);
  }

  private forget(table: string): void {
    this.enabled.delete(table);
    this.earliest.delete(table);
    this.changes.prepare('DELETE FROM changes WHERE tableName = ?').run(table);
  }

  describe(table: string): JsonObject {
    const earliest = this.earliest.get(table);
    return {
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: {
          PointInTimeRecoveryStatus: this.enabled.has(table) ? 'ENABLED' : 'DISABLED',
          ...(earliest !== undefined && {
            EarliestRestorableDateTime: earliest / 1000,
            LatestRestorableDateTime: Math.max(earliest, this.latest()) / 1000,
          }),
        },
      },
    };
  }

  /**
   * Remembers what these items are after a write. Whoever wrote waits for it, and only one write is looked at at a time:
   * of two writes of an item the later one is remembered last.
   */
  async note(written: readonly WrittenItem[]): Promise<void> {
    const own = written.filter(({ table }) => this.earliest.has(table));
    if (own.length > 0) await this.inTurn(() => this.noteNow(own));
  }

  /** Makes a table with the keys, indexes and items that another one had. Nothing else of it is restored, as on AWS. */
  async restore(request: JsonObject): Promise<JsonObject> {
    const [source, target] = [textIn(request, 'SourceTableName') ?? '', textIn(request, 'TargetTableName') ?? ''];
    const { call } = this.options;
    const described = objectIn(await call('DescribeTable', { TableName: source }), 'Table');
    const at = this.timeOf(source, request);
    const description = objectIn(
      await call('CreateTable', { TableName: target, ...definitionIn(described) }),
      'TableDescription',
    );
    const rows = this.itemsAt(source, at);
    for (let from = 0; from < rows.length; from += BATCH_WRITE) {
      await this.writeAll(target, rows.slice(from, from + BATCH_WRITE));
    }
    const RestoreSummary = {
      RestoreDateTime: at / 1000,
      RestoreInProgress: true,
      SourceTableArn: described['TableArn'],
    };
    return { TableDescription: { ...description, TableStatus: 'CREATING', RestoreSummary } as JsonObject };
  }

  close(): void {
    this.changes.close();
  }

  private latest(): number {
    return this.options.now().getTime() - BEHIND_MILLIS;
  }

  private timeOf(table: string, request: JsonObject): number {
    const earliest = this.earliest.get(table);
    if (earliest === undefined) {
      const why = this.enabled.has(table)
        ? 'The local cloud remembers the changes of tables with LOCAL_RECOVERY=1 only.'
        : `Point in time recovery is not enabled for table '${table}'`;
      throw new CallRefusal(400, 'PointInTimeRecoveryUnavailableException', why);
    }
    const { RestoreDateTime: seconds, UseLatestRestorableTime: isLatest } = request;
    const at = isLatest === true ? this.latest() : Math.round((typeof seconds === 'number' ? seconds : 0) * 1000);
    if (at >= earliest && at <= this.latest()) return at;
    throw new CallRefusal(
      400,
      'InvalidRestoreTimeException',
      `RestoreDateTime ${new Date(at).toISOString()} is outside of the restorable period.`,
    );
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.lastNote.then(work);
    this.lastNote = turn.catch(() => {});
    return turn;
  }

  private async noteAll(table: string): Promise<void> {
    let start: Json | undefined;
    do {
      const page = await this.options.call('Scan', {
        TableName: table,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      });
      for (const item of objectsIn(page, 'Items')) this.add(table, this.options.keyOf(table, item), item);
      start = page['LastEvaluatedKey'];
    } while (start !== undefined);
  }

  private async noteNow(written: readonly WrittenItem[]): Promise<void> {
    const named = written.map(({ table, attributes }) => ({ table, key: this.options.keyOf(table, attributes) }));
    for (const [table, some = []] of Object.entries(Object.groupBy(named, ({ table }) => table))) {
      const keys = new Map(some.map(({ key }) => [nameOf(key), key]));
      const items = await itemsByKey(this.options, table, [...keys.values()]);
      for (const [name, key] of keys) this.add(table, key, items.get(name));
    }
  }

  private add(table: string, key: JsonObject, item: JsonObject | undefined): void {
    this.changes
      .prepare('INSERT INTO changes (tableName, itemKey, at, item) VALUES (?, ?, ?, ?)')
      .run(table, nameOf(key), this.options.now().getTime(), item ? JSON.stringify(item) : null);
  }

  private itemsAt(table: string, at: number): JsonObject[] {
    const rows = this.changes
      .prepare(
        `SELECT item FROM changes WHERE item IS NOT NULL AND id IN
          (SELECT max(id) FROM changes WHERE tableName = ? AND at <= ? GROUP BY itemKey) ORDER BY id`,
      )
      .all(table, at);
    return rows.map(({ item }) => JSON.parse(String(item)) as JsonObject);
  }

  private async writeAll(table: string, items: readonly JsonObject[]): Promise<void> {
    let pending: Json = items.map((Item) => ({ PutRequest: { Item } }));
    while (Array.isArray(pending) && pending.length > 0) {
      const answer = await this.options.call('BatchWriteItem', { RequestItems: { [table]: pending } });
      const left: Json | undefined = answer['UnprocessedItems'];
      pending = isObject(left) ? (left[table] ?? []) : [];
    }
  }
}

/** Returns the items with these keys as they are now, by the names of their keys. */
export async function itemsByKey(
  { call, keyOf }: Pick<Options, 'call' | 'keyOf'>,
  table: string,
  keys: readonly JsonObject[],
): Promise<Map<string, JsonObject>> {
  const items = new Map<string, JsonObject>();
  for (let pending: readonly JsonObject[] = keys; pending.length > 0; ) {
    const RequestItems = { [table]: { Keys: pending.slice(0, BATCH_GET), ConsistentRead: true } };
    const answer = await call('BatchGetItem', { RequestItems });
    for (const item of objectsIn(objectIn(answer, 'Responses'), table)) items.set(nameOf(keyOf(table, item)), item);
    const left = objectIn(objectIn(answer, 'UnprocessedKeys'), table);
    pending = [...objectsIn(left, 'Keys'), ...pending.slice(BATCH_GET)];
  }
  return items;
}

const nameOf = (key: JsonObject) =>
  JSON.stringify(Object.entries(key).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Returns what a restored table has of its source. */
function definitionIn(described: JsonObject): JsonObject {
  const indexes = objectsIn(described, 'GlobalSecondaryIndexes').map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
  return {
    AttributeDefinitions: described['AttributeDefinitions'],
    KeySchema: described['KeySchema'],
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
  };
}

/** Returns the items that a writing call names. */
export function writtenItems(body: JsonObject): readonly WrittenItem[] {
  const table = textIn(body, 'TableName');
  if (table !== undefined) return [{ table, attributes: { ...objectIn(body, 'Key'), ...objectIn(body, 'Item') } }];
  const { RequestItems: requests } = body;
  if (isObject(requests)) {
    return Object.keys(requests).flatMap((name) =>
      objectsIn(requests, name).map((entry) => ({
        table: name,
        attributes: {
          ...objectIn(objectIn(entry, 'PutRequest'), 'Item'),
          ...objectIn(objectIn(entry, 'DeleteRequest'), 'Key'),
        },
      })),
    );
  }
  return objectsIn(body, 'TransactItems').flatMap((entry) =>
    Object.entries(entry).flatMap(([kind, part]) =>
      kind !== 'ConditionCheck' && isObject(part) ? writtenItems(part) : [],
    ),
  );
}
