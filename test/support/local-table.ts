import { CreateTableCommand, type GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';
import { dynamoDbClient, type Table } from '../../shared/table.dynamodb.ts';
import type { LocalEndpoint } from './local-endpoint.ts';

interface TableOptions {
  /** Whose indexes it has beside `Listing`. */
  readonly indexes?: 'webhooks';
}

const WEBHOOK_INDEXES: readonly GlobalSecondaryIndex[] = [
  {
    IndexName: 'Log',
    KeySchema: [
      { AttributeName: 'log', KeyType: 'HASH' },
      { AttributeName: 'logPosition', KeyType: 'RANGE' },
    ],
    Projection: {
      ProjectionType: 'INCLUDE',
      NonKeyAttributes: ['outcome', 'module', 'configurationId', 'record'],
    },
  },
];

/** A table as `cdk/constructs/domain-table.ts` makes them. */
export async function createTable(
  endpoint: LocalEndpoint,
  name: string,
  { indexes }: TableOptions = {},
): Promise<Table> {
  const client = dynamoDbClient({ ...endpoint.clientOptions() });
  const isWebhooks = indexes === 'webhooks';
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'list', 'position', ...(isWebhooks ? ['log', 'logPosition'] : [])].map(
        (AttributeName) => ({ AttributeName, AttributeType: 'S' }),
      ),
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
        ...(isWebhooks ? WEBHOOK_INDEXES : []),
      ],
    }),
  );
  return { name, client };
}
