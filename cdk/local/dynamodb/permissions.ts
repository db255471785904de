/** The permissions that a DynamoDB call needs. Operations that are not listed here do not exist in the local cloud. */
import type { NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../endpoint/json.ts';
import type { KeySchemas } from './key-schemas.ts';
import { streamOf } from './shard-iterator.ts';

export interface Names {
  readonly region: string;
  readonly accountId: string;
}

type Mapping = (body: JsonObject, context: Context) => readonly NeededPermission[];

interface Context {
  readonly operation: string;
  readonly keys: KeySchemas;
  readonly names: Names;
}

const ON_TABLE = [
  'CreateTable',
  'DeleteTable',
  'DescribeContinuousBackups',
  'DescribeTable',
  'DescribeTimeToLive',
  'UpdateContinuousBackups',
  'UpdateTable',
  'UpdateTimeToLive',
];
/** The actions that a restore needs on its new table. */
const ON_RESTORED = ['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'];
const ON_ITEM = ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'];
const ON_MANY_ITEMS = ['Query', 'Scan'];
const ON_BATCH = ['BatchGetItem', 'BatchWriteItem'];
const ON_ACCOUNT = ['ListTables'];

const STREAM_MAPPINGS = new Map<string, Mapping>([
  [
    'ListStreams',
    (body, context) => [permission(context, `${tableArn(textIn(body, 'TableName') ?? '*', context.names)}/stream/*`)],
  ],
  ['DescribeStream', onStream],
  ['GetShardIterator', onStream],
  ['GetRecords', onStream],
]);

const MAPPINGS = new Map<string, Mapping>([
  ...named(ON_TABLE, (body, context) => [permission(context, tableArn(textIn(body, 'TableName'), context.names))]),
  ...named(ON_ITEM, (body, context) => [item(context.operation, body, context)]),
  ...named(ON_MANY_ITEMS, (body, context) => [ofQuery(body, context)]),
  ...named(ON_BATCH, ofBatch),
  ...named(ON_ACCOUNT, (_body, context) => [permission(context, '*')]),
  [
    'RestoreTableToPointInTime',
    (body, context) => [
      permission(context, tableArn(textIn(body, 'SourceTableName'), context.names)),
      ...ON_RESTORED.map((operation) =>
        permission({ ...context, operation }, tableArn(textIn(body, 'TargetTableName'), context.names)),
      ),
    ],
  ],
  [
    'TransactGetItems',
    (body, context) =>
      objectsIn(body, 'TransactItems').map((entry) => item('GetItem', objectIn(entry, 'Get'), context)),
  ],
  [
    'TransactWriteItems',
    (body, context) => objectsIn(body, 'TransactItems').flatMap((entry) => ofTransactEntry(entry, context)),
  ],
]);

export function permissionsOf(
  target: string,
  body: JsonObject,
  tables: Omit<Context, 'operation'>,
): readonly NeededPermission[] {
  const [service = '', operation = ''] = target.split('.');
  const mappings = service === 'DynamoDBStreams_20120810' ? STREAM_MAPPINGS : MAPPINGS;
  const mapping = mappings.get(operation);
  if (mapping) return mapping(body, { operation, ...tables });
  throw new CallRefusal(
    400,
    'UnknownOperationException',
    `The local cloud does not have ${operation || 'this call'} of DynamoDB.`,
  );
}

/** The name of a table that may be given as its ARN. */
export function tableName(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split('/')[1] ?? nameOrArn) : nameOrArn;
}

function tableArn(nameOrArn: string | undefined, { region, accountId }: Names): string {
  return `arn:aws:dynamodb:${region}:${accountId}:table/${tableName(nameOrArn ?? '')}`;
}

function permission({ operation }: Context, resource: string): NeededPermission {
  return { action: `dynamodb:${operation}`, resource };
}

function item(operation: string, body: JsonObject, context: Context): NeededPermission {
  const table = textIn(body, 'TableName');
  const attributes = isObject(body['Item']) ? body['Item'] : objectIn(body, 'Key');
  return {
    ...permission({ ...context, operation }, tableArn(table, context.names)),
    ...leadingKeys([context.keys.leadingKey(tableName(table ?? ''), attributes)]),
  };
}

function ofQuery(body: JsonObject, context: Context): NeededPermission {
  const table = textIn(body, 'TableName');
  const index = textIn(body, 'IndexName');
  const arn = tableArn(table, context.names);
  const needed = permission(context, index === undefined ? arn : `${arn}/index/${index}`);
  if (context.operation === 'Scan') return needed;
  return { ...needed, ...leadingKeys([context.keys.queriedKey(tableName(table ?? ''), index, body)]) };
}

function ofBatch(body: JsonObject, context: Context): NeededPermission[] {
  const requests = objectIn(body, 'RequestItems');
  return Object.keys(requests).map((table) => {
    const written = objectsIn(requests, table).map((entry) => {
      const put = entry['PutRequest'];
      return isObject(put) ? objectIn(put, 'Item') : objectIn(objectIn(entry, 'DeleteRequest'), 'Key');
    });
    const keys = [...written, ...objectsIn(objectIn(requests, table), 'Keys')];
    return {
      ...permission(context, tableArn(table, context.names)),
      ...leadingKeys(keys.map((key) => context.keys.leadingKey(tableName(table), key))),
    };
  });
}

const TRANSACT_ACTIONS = new Map([
  ['Put', 'PutItem'],
  ['Update', 'UpdateItem'],
  ['Delete', 'DeleteItem'],
  ['ConditionCheck', 'ConditionCheckItem'],
]);

function ofTransactEntry(entry: JsonObject, context: Context): NeededPermission[] {
  return [...TRANSACT_ACTIONS].flatMap(([kind, action]) => {
    const body = entry[kind];
    return isObject(body) ? [item(action, body, context)] : [];
  });
}

/**
 * A key that cannot be determined must not pass a condition on it. It is represented by a value that no policy grants.
 */
const UNKNOWN_KEY = '\0';

function leadingKeys(keys: readonly (string | undefined)[]): Pick<NeededPermission, 'context'> {
  return keys.length === 0 ? {} : { context: { 'dynamodb:LeadingKeys': keys.map((key) => key ?? UNKNOWN_KEY) } };
}

function onStream(body: JsonObject, context: Context): NeededPermission[] {
  const iterator = textIn(body, 'ShardIterator');
  return [permission(context, iterator === undefined ? (textIn(body, 'StreamArn') ?? '') : streamOf(iterator))];
}

function named(operations: readonly string[], mapping: Mapping): [string, Mapping][] {
  return operations.map((operation) => [operation, mapping]);
}
