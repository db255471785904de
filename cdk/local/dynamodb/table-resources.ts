/** Tables. Those of an earlier start are kept and brought up to date. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  ResourceNotFoundException,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { physicalName, stableUuid } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { flag, ignored } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';

const KeySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const Projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']).optional(),
  NonKeyAttributes: z.array(z.string()).optional(),
});
const GlobalIndex = z.strictObject({
  IndexName: z.string(),
  KeySchema,
  Projection,
  ReadOnDemandThroughputSettings: ignored,
  WriteOnDemandThroughputSettings: ignored,
  OnDemandThroughput: ignored,
  ProvisionedThroughput: ignored,
  WriteProvisionedThroughputSettings: ignored,
  ContributorInsightsSpecification: ignored,
  WarmThroughput: ignored,
});

const Replica = z.looseObject({
  PointInTimeRecoverySpecification: z.looseObject({ PointInTimeRecoveryEnabled: flag }).optional(),
});

const TableProperties = z.strictObject({
  TableName: z.string().optional(),
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema,
  GlobalSecondaryIndexes: z.array(GlobalIndex).default([]),
  StreamSpecification: z
    .strictObject({
      StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']),
      ResourcePolicy: ignored,
    })
    .optional(),
  TimeToLiveSpecification: z.strictObject({ AttributeName: z.string().optional(), Enabled: flag }).optional(),
  // There is one copy of a table on this machine; encryption and price exist only on AWS.
  Replicas: z.array(Replica).default([]),
  BillingMode: ignored,
  ProvisionedThroughput: ignored,
  OnDemandThroughput: ignored,
  WriteOnDemandThroughputSettings: ignored,
  WriteProvisionedThroughputSettings: ignored,
  SSESpecification: ignored,
  PointInTimeRecoverySpecification: ignored,
  ContributorInsightsSpecification: ignored,
  DeletionProtectionEnabled: ignored,
  WarmThroughput: ignored,
  TableClass: ignored,
  Tags: ignored,
});
type TableProperties = z.output<typeof TableProperties>;

const SETTLE_POLL_MILLIS = 50;
const SETTLE_MILLIS_MAX = 5 * 60_000;

export function dynamodbResources({ clients, region, accountId, endpoint }: CloudContext): ResourceFamily {
  const table = async (resource: DeclaredResource): Promise<Provisioned> => {
    const properties = propertiesOf(resource, TableProperties);
    const name = properties.TableName ?? physicalName('table', resource);
    const existing = await settled(clients.dynamodb, name);
    if (existing && endpoint.like.has('one-gsi')) refuseSeveralIndexes(existing, properties);
    if (existing) await update(clients.dynamodb, existing, properties);
    else await clients.dynamodb.send(new CreateTableCommand({ TableName: name, ...definition(properties) }));
    const made = await settled(clients.dynamodb, name);
    await setTimeToLive(clients.dynamodb, name, properties.TimeToLiveSpecification);
    await setRecovery(clients.dynamodb, name, properties);
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:dynamodb:${region}:${accountId}:table/${name}`,
        TableId: stableUuid(name),
        ...(properties.StreamSpecification && { StreamArn: made?.LatestStreamArn }),
      },
    };
  };
  return { types: { 'AWS::DynamoDB::GlobalTable': table } };
}

/** The table once nothing about it is under way, as CloudFormation waits for it too; undefined when there is none. */
async function settled(dynamodb: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  const end = Date.now() + SETTLE_MILLIS_MAX;
  for (;;) {
    const table = await describe(dynamodb, name);
    const underWay = [table?.TableStatus, ...(table?.GlobalSecondaryIndexes ?? []).map((index) => index.IndexStatus)];
    const unsettled = underWay.find((status) => status !== undefined && status !== 'ACTIVE');
    if (unsettled === undefined) return table;
    if (Date.now() > end) throw new Error(`The table ${name} or an index of it stays ${unsettled}.`);
    await pause(SETTLE_POLL_MILLIS);
  }
}

async function describe(dynamodb: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: name }));
    return Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function definition(properties: TableProperties) {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = properties;
  return {
    AttributeDefinitions,
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST' as const,
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(globalIndex) }),
    StreamSpecification: streamOf(properties),
  };
}

function globalIndex({ IndexName, KeySchema, Projection }: z.output<typeof GlobalIndex>): GlobalSecondaryIndex {
  return { IndexName, KeySchema, Projection };
}

const streamOf = ({ StreamSpecification }: TableProperties) =>
  StreamSpecification
    ? { StreamEnabled: true, StreamViewType: StreamSpecification.StreamViewType }
    : { StreamEnabled: false };

async function update(dynamodb: DynamoDBClient, existing: TableDescription, declared: TableProperties) {
  const TableName = existing.TableName ?? '';
  const typesChanged =
    signature(existing.KeySchema, existing.AttributeDefinitions) !==
    signature(declared.KeySchema, declared.AttributeDefinitions);
  if (typesChanged) {
    throw new Error(
      `The keys of the table ${TableName} have changed. Remove the data folder to start with empty tables.`,
    );
  }
  await updateStream(dynamodb, existing, declared);
  await updateIndexes(dynamodb, existing, declared);
}

interface Keyed {
  readonly IndexName?: string | undefined;
  readonly KeySchema?: readonly KeySchemaElement[] | undefined;
}

/** `HASH pk S, RANGE sk S` */
function signature(keys: readonly KeySchemaElement[] = [], attributes: readonly AttributeDefinition[] = []): string {
  const typeOf = (name?: string) => attributes.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  return keys.map(({ KeyType, AttributeName }) => `${KeyType} ${AttributeName} ${typeOf(AttributeName)}`).join(', ');
}

async function updateStream(dynamodb: DynamoDBClient, existing: TableDescription, declared: TableProperties) {
  const before = existing.StreamSpecification?.StreamEnabled ? existing.StreamSpecification.StreamViewType : undefined;
  const after = declared.StreamSpecification?.StreamViewType;
  if (before === after) return;
  const TableName = existing.TableName;
  if (before) await updateTable(dynamodb, { TableName, StreamSpecification: { StreamEnabled: false } });
  if (after) await updateTable(dynamodb, { TableName, StreamSpecification: streamOf(declared) });
}

/** CloudFormation creates or deletes one index of a table in an update; a changed index is a deletion and a creation. */
function refuseSeveralIndexes(existing: TableDescription, declared: TableProperties): void {
  const { AttributeDefinitions, GlobalSecondaryIndexes: before = [] } = existing;
  const was = before.map((index) => `${index.IndexName} ${signature(index.KeySchema, AttributeDefinitions)}`);
  const is = declared.GlobalSecondaryIndexes.map(
    (index) => `${index.IndexName} ${signature(index.KeySchema, declared.AttributeDefinitions)}`,
  );
  const changes = [...was, ...is].filter((index) => was.includes(index) !== is.includes(index)).length;
  if (changes <= 1) return;
  throw new Error(
    `Cannot perform more than one GSI creation or deletion in a single update of ${existing.TableName}: ${changes}.`,
  );
}

async function updateIndexes(dynamodb: DynamoDBClient, existing: TableDescription, declared: TableProperties) {
  const { TableName, AttributeDefinitions, GlobalSecondaryIndexes: before = [] } = existing;
  const changed = (one: Keyed, other: Keyed) =>
    signature(one.KeySchema, AttributeDefinitions) !== signature(other.KeySchema, declared.AttributeDefinitions);
  for (const old of before) {
    const successor = declared.GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === old.IndexName);
    if (successor && !changed(old, successor)) continue;
    const removal = { Delete: { IndexName: old.IndexName } };
    await updateTable(dynamodb, { TableName, GlobalSecondaryIndexUpdates: [removal] });
  }
  for (const index of declared.GlobalSecondaryIndexes) {
    const old = before.find(({ IndexName }) => IndexName === index.IndexName);
    if (old && !changed(old, index)) continue;
    await updateTable(dynamodb, {
      TableName,
      AttributeDefinitions: declared.AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create: globalIndex(index) }],
    });
  }
}

/** One change at a time: a table refuses another change while one is in progress. */
async function updateTable(dynamodb: DynamoDBClient, change: UpdateTableCommandInput) {
  await dynamodb.send(new UpdateTableCommand(change));
  await settled(dynamodb, change.TableName ?? '');
}

async function setRecovery(dynamodb: DynamoDBClient, TableName: string, { Replicas }: TableProperties) {
  const isEnabled = Replicas.some((replica) => replica.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled);
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: isEnabled };
  await dynamodb.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
}

async function setTimeToLive(
  dynamodb: DynamoDBClient,
  name: string,
  declared: TableProperties['TimeToLiveSpecification'],
) {
  const { TimeToLiveDescription: now } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName: name }));
  const before = now?.TimeToLiveStatus === 'ENABLED' ? now.AttributeName : undefined;
  const after = declared?.Enabled ? declared.AttributeName : undefined;
  if (before === after) return;
  const change = async (AttributeName: string, Enabled: boolean) => {
    const TimeToLiveSpecification = { AttributeName, Enabled };
    await dynamodb.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
  };
  if (before !== undefined) await change(before, false);
  if (after !== undefined) await change(after, true);
}
