import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expressionParts, type Placeholders } from './expressions.dynamodb.ts';
import { type Item, marshalled, type Table } from './table.dynamodb.ts';

/** Reads the items of one partition. */
export interface Query extends Placeholders {
  /** The condition on the key: `pk = :pk AND begins_with(sk, :prefix)`. */
  readonly where: string;
  /** An index, which is eventually consistent. @default the table itself, strongly consistent */
  readonly index?: string;
  /** The attributes to read, in one text: `pk, sk`. @default all */
  readonly attributes?: string;
  /** True to read from the end of the partition. @default false */
  readonly backwards?: boolean;
  /** The key after which the query begins. @default at the first */
  readonly after?: Item | undefined;
}

type Start = QueryCommandInput['ExclusiveStartKey'];

function inputOf(table: Table, { where, index, attributes, backwards = false, ...parameters }: Query) {
  return {
    TableName: table.name,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    KeyConditionExpression: where,
    ...(attributes !== undefined && { ProjectionExpression: attributes }),
    ...expressionParts([where, attributes], parameters),
    ...(backwards && { ScanIndexForward: false }),
  };
}

const startOf = ({ after }: Query): Start => after && marshalled(after);

/** All items to the end of the partition. @param query with the items of one call. @default as many as fit into 1 MB */
export async function* queryItems(
  table: Table,
  query: Query & { readonly perCall?: number },
): AsyncGenerator<Item, void, undefined> {
  const input = inputOf(table, query);
  let start = startOf(query);
  do {
    const { Items: items = [], LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({ ...input, Limit: query.perCall, ExclusiveStartKey: start }),
    );
    yield* items.map((item) => unmarshall(item));
    start = last;
  } while (start);
}

/** At most `limit` items, and the key after which more may follow. */
export async function queryPage(
  table: Table,
  query: Query & { readonly limit: number },
): Promise<{ readonly items: Item[]; readonly last: Item | undefined }> {
  const input = inputOf(table, query);
  const items: Item[] = [];
  let start = startOf(query);
  do {
    // A call returns at most 1 MB.
    const { Items: read = [], LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({ ...input, Limit: query.limit - items.length, ExclusiveStartKey: start }),
    );
    items.push(...read.map((item) => unmarshall(item)));
    start = last;
  } while (start && items.length < query.limit);
  return { items, last: start && unmarshall(start) };
}

/** The number of items of a query, counted no further than `most`. */
export async function countItems(table: Table, query: Query, most: number): Promise<number> {
  const input = inputOf(table, query);
  let counted = 0;
  let start = startOf(query);
  do {
    const { Count: results = 0, LastEvaluatedKey: last } = await table.client.send(
      new QueryCommand({ ...input, Select: 'COUNT', Limit: most - counted, ExclusiveStartKey: start }),
    );
    counted += results;
    start = last;
  } while (start && counted < most);
  return counted;
}
