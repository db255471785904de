/** The partition keys of all tables and indexes, needed for the condition key `dynamodb:LeadingKeys`. */
import { isObject, type Json, type JsonObject, objectsIn, textIn } from '../endpoint/json.ts';

export class KeySchemas {
  private readonly partitionKeys = new Map<string, string>();
  /** The attributes of the primary key, by table. */
  private readonly keyNames = new Map<string, readonly string[]>();

  /** @param description A `TableDescription`. */
  learn(description: JsonObject): void {
    const table = textIn(description, 'TableName');
    if (table === undefined) return;
    this.remember(table, description);
    const names = objectsIn(description, 'KeySchema').map((part) => textIn(part, 'AttributeName') ?? '');
    if (names.length > 0) this.keyNames.set(table, names);
    for (const kind of ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes']) {
      for (const index of objectsIn(description, kind)) this.remember(`${table}/${textIn(index, 'IndexName')}`, index);
    }
  }

  /** The value of the partition key in an item or key. */
  leadingKey(table: string, attributes: JsonObject): string | undefined {
    const name = this.partitionKeys.get(table);
    return name === undefined ? undefined : scalar(attributes[name]);
  }

  /** The attribute by which an index is partitioned. */
  partitionOf(table: string, index: string): string | undefined {
    return this.partitionKeys.get(`${table}/${index}`);
  }

  /** Returns the primary key of an item. @param attributes the key, or the whole item. */
  keyOf(table: string, attributes: JsonObject): JsonObject {
    return Object.fromEntries((this.keyNames.get(table) ?? []).map((name) => [name, attributes[name]]));
  }

  /** Returns a text that names the item with this key. @param attributes the key, or the whole item. */
  itemName(table: string, attributes: JsonObject): string {
    return JSON.stringify([table, ...(this.keyNames.get(table) ?? []).map((name) => attributes[name] ?? null)]);
  }

  /** The value that a query pins the partition key to. */
  queriedKey(table: string, index: string | undefined, query: JsonObject): string | undefined {
    const partitionKey = this.partitionKeys.get(index === undefined ? table : `${table}/${index}`);
    const names = query['ExpressionAttributeNames'];
    const values = query['ExpressionAttributeValues'];
    for (const [, name = '', value = ''] of (textIn(query, 'KeyConditionExpression') ?? '').matchAll(
      /(#?[\w.-]+)\s*=\s*(:\w+)/g,
    )) {
      const attribute = name.startsWith('#') ? isObject(names) && textIn(names, name) : name;
      if (attribute === partitionKey && isObject(values)) return scalar(values[value]);
    }
    return undefined;
  }

  private remember(name: string, described: JsonObject): void {
    const partition = objectsIn(described, 'KeySchema').find((part) => part['KeyType'] === 'HASH');
    const attribute = partition && textIn(partition, 'AttributeName');
    if (attribute !== undefined) this.partitionKeys.set(name, attribute);
  }
}

function scalar(value: Json | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  return textIn(value, 'S') ?? textIn(value, 'N') ?? textIn(value, 'B');
}
