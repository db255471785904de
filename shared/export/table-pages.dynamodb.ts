import { paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item, Table } from '#shared/table/table.dynamodb';

/** Every item of a table, as it is now. */
export async function* tablePages({ client, name }: Table): AsyncGenerator<readonly Item[]> {
  for await (const { Items: items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true })) {
    yield items.map((item) => unmarshall(item));
  }
}
