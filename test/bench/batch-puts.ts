import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../shared/table/table.dynamodb.ts';

type MarshalledItem = Record<string, AttributeValue>;

const BATCH = 25;
const WRITERS = 8;

/** Puts items in batches, as fast as the table takes them. They must have different keys. */
export async function putInBatches(table: Table, items: Iterable<MarshalledItem>): Promise<void> {
  const source = items[Symbol.iterator]();
  const write = async () => {
    for (let batch = next(source); batch.length > 0; batch = next(source)) {
      const requests = batch.map((item) => ({ PutRequest: { Item: item } }));
      await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

function next(source: Iterator<MarshalledItem>): MarshalledItem[] {
  const batch: MarshalledItem[] = [];
  while (batch.length < BATCH) {
    const { value, done } = source.next();
    if (done === true) break;
    batch.push(value);
  }
  return batch;
}
