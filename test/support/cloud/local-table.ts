import { CreateTableCommand, type Projection } from '@aws-sdk/client-dynamodb';
import { INDEXED_FIELDS } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import { dynamoDbClient, type Table } from '../../../shared/table/table.dynamodb.ts';
import type { LocalEndpoint } from './local-endpoint.ts';

/** Whatever answers as DynamoDB does. */
interface Reached {
  clientOptions(): ReturnType<LocalEndpoint['clientOptions']>;
  tableOptions?: LocalEndpoint['tableOptions'];
}

interface Index {
  readonly name: string;
  readonly partition: string;
  readonly sort: string;
  /** @default S */
  readonly sortType?: 'S' | 'N';
  /** What it holds besides its keys. @default all */
  readonly attributes?: readonly string[];
}

interface TableShape {
  /** Indexes besides `Listing`. */
  readonly indexes?: readonly Index[];
  readonly hasStream?: boolean;
}

const LISTING: Index = { name: 'Listing', partition: 'list', sort: 'position' };

/** One for all tables of an endpoint: each opens connections of its own. */
const clients = new WeakMap<Reached, Table['client']>();

/** A table as `cdk/constructs/domain-table.ts` makes them. */
export async function createTable(
  endpoint: Reached,
  name: string,
  { indexes = [], hasStream = false }: TableShape = {},
): Promise<Table> {
  const client =
    clients.get(endpoint) ?? dynamoDbClient({ ...(endpoint.tableOptions?.() ?? endpoint.clientOptions()) });
  clients.set(endpoint, client);
  const all = [LISTING, ...indexes];
  const types = new Map<string, 'S' | 'N'>([
    ['pk', 'S'],
    ['sk', 'S'],
    ...all.flatMap(({ partition, sort, sortType = 'S' }): [string, 'S' | 'N'][] => [
      [partition, 'S'],
      [sort, sortType],
    ]),
  ]);
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: all.map(({ name: IndexName, partition, sort, attributes }) => ({
        IndexName,
        KeySchema: [
          { AttributeName: partition, KeyType: 'HASH' },
          { AttributeName: sort, KeyType: 'RANGE' },
        ],
        Projection: projectionOf(attributes),
      })),
      ...(hasStream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } }),
    }),
  );
  return { name, client };
}

function projectionOf(attributes: readonly string[] | undefined): Projection {
  if (!attributes) return { ProjectionType: 'ALL' };
  if (attributes.length === 0) return { ProjectionType: 'KEYS_ONLY' };
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...attributes] };
}

/** The table of `cdk/domains/webhooks/webhooks-data.ts`. */
export const createWebhooksTable = (endpoint: LocalEndpoint, name: string) =>
  createTable(endpoint, name, {
    hasStream: true,
    indexes: [
      {
        name: 'Log',
        partition: 'log',
        sort: 'logPosition',
        attributes: ['outcome', 'module', 'configurationId', 'record'],
      },
      {
        name: 'Failed',
        partition: 'failed',
        sort: 'logPosition',
        attributes: ['module', 'configurationId', 'record'],
      },
      { name: 'Due', partition: 'due', sort: 'nextSweepAt', sortType: 'N', attributes: [] },
      { name: 'Parked', partition: 'parked', sort: 'nextAttemptAt', sortType: 'N', attributes: [] },
    ],
  });

/** The table of `cdk/domains/places/places-data.ts`. */
export const createPlacesTable = (endpoint: Reached, name: string) =>
  createTable(endpoint, name, {
    hasStream: true,
    indexes: [{ name: 'Cells', partition: 'cell', sort: 'leaf', attributes: INDEXED_FIELDS }],
  });

/** The table of `cdk/domains/images/images-data.ts`. */
export const createImagesTable = (endpoint: Reached, name: string) =>
  createTable(endpoint, name, {
    hasStream: true,
    indexes: [
      { name: 'Customers', partition: 'customerList', sort: 'position' },
      { name: 'Campaigns', partition: 'campaignList', sort: 'position', attributes: ['status'] },
      { name: 'Statuses', partition: 'statusList', sort: 'position' },
      { name: 'Reviews', partition: 'reviewList', sort: 'position' },
      { name: 'Undecided', partition: 'undecided', sort: 'due' },
    ],
  });
