/** Copies items from a table that point-in-time recovery has made back into the table of a domain. */
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getItems, type Item, type Table, whenAllowed } from '#shared/table/table.dynamodb';

interface RestoreOptions {
  /** The name of the restored table. */
  readonly from: string;
  /** Only items whose `pk` begins with this. @default all */
  readonly keys?: string | undefined;
  /** Also writes items that differ. @default false */
  readonly replace?: boolean | undefined;
}

export interface RestoreCounts {
  readonly missing: number;
  readonly same: number;
  readonly differing: number;
}

/** Writes the items that the table lacks. Items that only the table has stay. */
export async function restoreItems(
  table: Table,
  { from, keys = '', replace = false }: RestoreOptions,
): Promise<RestoreCounts> {
  const { name, client } = table;
  const counts = { missing: 0, same: 0, differing: 0 };
  for await (const { Items: restored = [] } of paginateScan({ client }, { TableName: from, ConsistentRead: true })) {
    const items = restored.filter((item) => item['pk']?.S?.startsWith(keys) && !hasExpired(item));
    const { missing, differing } = await compared(table, items);
    counts.missing += missing.length;
    counts.differing += differing.length;
    counts.same += items.length - missing.length - differing.length;
    for (const Item of missing) {
      // The service may have written the item since it was read: what is new stays.
      const ConditionExpression = 'attribute_not_exists(pk)';
      await whenAllowed(client.send(new PutItemCommand({ TableName: name, Item, ConditionExpression })));
    }
    for (const Item of replace ? differing : []) await client.send(new PutItemCommand({ TableName: name, Item }));
  }
  return counts;
}

type StoredItem = Readonly<Record<string, AttributeValue>>;

/** Returns whether the table would have deleted the item by now. */
function hasExpired({ ttl }: StoredItem): boolean {
  return ttl?.N !== undefined && Number(ttl.N) * 1_000 < Date.now();
}

/** Returns the items that the table lacks, and those that differ from it. */
async function compared(table: Table, items: readonly StoredItem[]) {
  const keys = items.map(({ pk, sk }) => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
  const current = new Map((await getItems(table, keys)).map((item) => [nameOf(item), item]));
  const missing: StoredItem[] = [];
  const differing: StoredItem[] = [];
  for (const stored of items) {
    const item = unmarshall(stored);
    const now = current.get(nameOf(item));
    if (now === undefined) missing.push(stored);
    else if (!isDeepStrictEqual(now, item)) differing.push(stored);
  }
  return { missing, differing };
}

function nameOf({ pk, sk }: Item): string {
  return JSON.stringify([pk, sk]);
}
