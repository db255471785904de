/** Deletes items whose time to live has passed, so that streams report the deletions. Neither engine does this. */
import { type Json, type JsonObject, listIn, objectIn, objectsIn, textIn } from '../endpoint/json.ts';

/** Calls a DynamoDB operation as the owner of the account. */
export type CallDynamoDb = (operation: string, body: JsonObject) => Promise<JsonObject>;

/** DynamoDB ignores times more than five years in the past: such a number is rarely meant as a time. */
const AGE_SECONDS_MAX = 5 * 365 * 24 * 3600;

const EXPIRED = 'attribute_type(#ttl, :number) AND #ttl <= :now AND #ttl > :oldest';

/** The number of items read at a time. The engine handles one call after the other, so others wait meanwhile. */
const PAGE_ITEMS = 100;

export interface Expiry {
  readonly table: string;
  readonly now: Date;
  readonly onDelete: (key: JsonObject) => void;
  /** Is called between two pages with how long the last one took. May throw, which ends it. */
  readonly rest: (spentMillis: number) => Promise<void>;
}

export async function deleteExpiredItems(call: CallDynamoDb, { table, now, onDelete, rest }: Expiry): Promise<void> {
  const attribute = await timeToLiveAttribute(call, table);
  if (attribute === undefined) return;
  const keyNames = await keyAttributes(call, table);
  const seconds = Math.floor(now.getTime() / 1000);
  const expired = {
    ExpressionAttributeValues: {
      ':number': { S: 'N' },
      ':now': { N: String(seconds) },
      ':oldest': { N: String(seconds - AGE_SECONDS_MAX) },
    },
  };
  let start: Json | undefined;
  for (;;) {
    const startedAt = performance.now();
    const page = await call('Scan', {
      TableName: table,
      Limit: PAGE_ITEMS,
      FilterExpression: EXPIRED,
      ProjectionExpression: keyNames.map((_, i) => `#key${i}`).join(', '),
      ...expired,
      ExpressionAttributeNames: {
        '#ttl': attribute,
        ...Object.fromEntries(keyNames.map((name, i) => [`#key${i}`, name])),
      },
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    for (const key of objectsIn(page, 'Items')) {
      // An item whose expiry was extended since it was read is not deleted.
      const removal = {
        TableName: table,
        Key: key,
        ConditionExpression: EXPIRED,
        ExpressionAttributeNames: { '#ttl': attribute },
      };
      if (await succeeds(call('DeleteItem', { ...removal, ...expired }))) onDelete(key);
    }
    start = page['LastEvaluatedKey'];
    if (start === undefined) return;
    await rest(performance.now() - startedAt);
  }
}

export async function tableNames(call: CallDynamoDb): Promise<string[]> {
  const names: string[] = [];
  let start: string | undefined;
  do {
    const page = await call('ListTables', start === undefined ? {} : { ExclusiveStartTableName: start });
    names.push(...listIn(page, 'TableNames').map(String));
    start = textIn(page, 'LastEvaluatedTableName');
  } while (start !== undefined);
  return names;
}

async function timeToLiveAttribute(call: CallDynamoDb, table: string): Promise<string | undefined> {
  const { TimeToLiveDescription: description } = await call('DescribeTimeToLive', { TableName: table });
  const settings = objectIn({ description }, 'description');
  return settings['TimeToLiveStatus'] === 'ENABLED' ? textIn(settings, 'AttributeName') : undefined;
}

async function keyAttributes(call: CallDynamoDb, table: string): Promise<string[]> {
  const { Table: description } = await call('DescribeTable', { TableName: table });
  return objectsIn(objectIn({ description }, 'description'), 'KeySchema').map(
    (part) => textIn(part, 'AttributeName') ?? '',
  );
}

async function succeeds(deletion: Promise<JsonObject>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch {
    // The condition failed, or the table is being deleted; the next sweep tries again.
    return false;
  }
}
