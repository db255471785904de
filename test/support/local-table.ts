import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDbClient, type Table } from '../../shared/table.dynamodb.ts';
import type { LocalEndpoint } from './local-endpoint.ts';

/** A table as `cdk/constructs/domain-table.ts` makes them. */
export async function createTable(endpoint: LocalEndpoint, name: string): Promise<Table> {
  const client = dynamoDbClient({ ...endpoint.clientOptions() });
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'list', 'position'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'Listing',
          KeySchema: [
            { AttributeName: 'list', KeyType: 'HASH' },
            { AttributeName: 'position', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  return { name, client };
}
