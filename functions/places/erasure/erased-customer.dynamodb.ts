import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { atOnce } from '#shared/at-once';
import type { TenantKey } from '#shared/ids';
import { marshalled, type Table } from '#shared/table/table.dynamodb';
import { listingKey } from '../check-in-rules/last-listings.dynamodb.ts';
import { standingPartition } from '../check-in-rules/standing-items.dynamodb.ts';

const ITEMS_AT_ONCE = 10;

/** Erases where the customer was, its visits and its counts by day. It may be repeated, and may end anywhere. */
export async function erasePlacesOf(table: Table, customer: TenantKey): Promise<void> {
  const { name, client } = table;
  await client.send(new DeleteItemCommand({ TableName: name, Key: marshalled(listingKey(customer)) }));
  let start: Record<string, never> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: name,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshalled({ ':pk': standingPartition(customer) }),
        ProjectionExpression: 'pk, sk',
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    await atOnce(page.Items ?? [], ITEMS_AT_ONCE, async ({ pk, sk }) => {
      await client.send(new DeleteItemCommand({ TableName: name, Key: { pk: pk!, sk: sk! } }));
    });
    start = page.LastEvaluatedKey as typeof start;
  } while (start);
}
