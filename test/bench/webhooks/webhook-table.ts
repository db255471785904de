import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { App } from 'aws-cdk-lib';
import { DataStack } from '../../../cdk/stacks/data-stack.ts';
import type { IndexShape } from '../costs/dynamodb-units.ts';

interface TableProperties {
  readonly AttributeDefinitions: [];
  readonly KeySchema: [];
  readonly GlobalSecondaryIndexes: readonly {
    readonly IndexName: string;
    readonly KeySchema: { readonly AttributeName: string }[];
    readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
  }[];
}

/** The table of webhooks as it is deployed. */
function tableProperties(): TableProperties {
  const app = new App();
  const stack = new DataStack(app, 'data');
  const resources: Record<string, { Type: string; Properties: TableProperties }> = app
    .synth()
    .getStackByName(stack.stackName).template.Resources;
  const tables = Object.values(resources).filter(({ Type: type }) => type === 'AWS::DynamoDB::GlobalTable');
  const table = tables.find(({ Properties: { GlobalSecondaryIndexes: indexes } }) =>
    indexes.some(({ IndexName: name }) => name === 'Due'),
  );
  if (!table) throw new Error('There is no table of webhooks.');
  return table.Properties;
}

/** Creates it. @returns its indexes */
export async function createDeployedTable(client: DynamoDBClient, name: string): Promise<readonly IndexShape[]> {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: indexes } = tableProperties();
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions,
      KeySchema,
      GlobalSecondaryIndexes: indexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
        IndexName,
        KeySchema: keys as never,
        Projection: Projection as never,
      })),
    }),
  );
  return indexes.map(
    ({
      IndexName,
      KeySchema: keys,
      Projection: { ProjectionType: type, NonKeyAttributes: more = [] },
    }): IndexShape => ({
      name: IndexName,
      keys: keys.map(({ AttributeName }) => AttributeName),
      projected: type === 'ALL' ? 'all' : more,
    }),
  );
}
