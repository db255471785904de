/** Every AWS call of the code under a cost bench, with the units that it is charged for, computed from the items. */
import {
  type BatchGetItemCommandInput,
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteItemsCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { PricedUnit } from '../../../cdk/cost/prices.ts';
import { s3UnitOf } from './aws-calls.ts';
import {
  type IndexShape,
  indexWriteUnits,
  itemBytes,
  queryUnits,
  readUnits,
  type StoredItem,
  writeUnits,
} from './dynamodb-units.ts';

export interface Entry {
  /** The function that calls. */
  readonly step: string;
  /** The operation, and the kind of item where there is one. */
  readonly call: string;
  /** Of the item, the larger one where it changes. */
  readonly bytes?: number;
  readonly writes?: number;
  /** By index; those that are not written are left out. */
  readonly indexWrites?: Readonly<Record<string, number>>;
  readonly reads?: number;
  readonly sqs?: number;
  readonly kms?: number;
  /** Requests to S3, by what they are charged as. */
  readonly s3?: Readonly<Partial<Record<PricedUnit, number>>>;
  /** Put on a bus. */
  readonly events?: number;
  /** 0 for every write of a transaction but the first. @default 1 */
  readonly calls?: number;
  /** The engine's own figure for the table, where it reports one. */
  readonly reported?: number | undefined;
}

type Next = (call: { readonly input: Record<string, unknown> }) => Promise<{ readonly output: Output }>;
interface Output {
  readonly Item?: StoredItem;
  readonly Items?: readonly StoredItem[];
  readonly Responses?: Readonly<Record<string, readonly StoredItem[]>>;
  readonly ConsumedCapacity?: Consumed | readonly Consumed[];
}
interface Consumed {
  readonly CapacityUnits?: number;
}
type WriteInput = Pick<PutItemCommandInput, 'TableName'> &
  Partial<Pick<PutItemCommandInput, 'Item'>> &
  Partial<Pick<UpdateItemCommandInput, 'Key'>>;
interface Client {
  readonly middlewareStack: { add(middleware: never, options: object): void };
}

/** Looks at every item before and after it is written. */
export class AwsLedger {
  readonly entries: Entry[] = [];
  step = '';
  /** While times are measured: looking takes time itself. */
  isPaused = false;
  private readonly indexes: readonly IndexShape[];
  /** Not counted itself. */
  private readonly looking: DynamoDBClient;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(indexes: readonly IndexShape[], looking: DynamoDBClient) {
    this.indexes = indexes;
    this.looking = looking;
  }

  /** Counts all calls of a client. */
  bind<C extends Client>(client: C): C {
    const counting =
      (next: Next, { clientName = '', commandName = '' }: { clientName?: string; commandName?: string }) =>
      (call: { readonly input: Record<string, unknown> }) => {
        const operation = commandName.replace(/Command$/, '');
        if (this.isPaused) return next(call);
        if (operation === 'PutEvents') return this.countedEvents(call.input, next(call));
        if (!clientName.startsWith('DynamoDB')) return this.counted(operation, clientName, next(call));
        call.input['ReturnConsumedCapacity'] = 'INDEXES';
        if (operation === 'PutItem' || operation === 'UpdateItem') {
          return this.inTurn(() => this.write(operation, call.input as WriteInput, () => next(call)));
        }
        if (operation === 'TransactWriteItems') {
          return this.inTurn(() =>
            this.transact(call.input as unknown as TransactWriteItemsCommandInput, () => next(call)),
          );
        }
        return this.read(operation, call.input, next(call));
      };
    client.middlewareStack.add(counting as never, { step: 'initialize', priority: 'high', name: 'ledger' });
    return client;
  }

  /** Writes that the code makes at the same time are made one after the other, so that each sees its own change. */
  private async inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
    const before = this.writing;
    const turn = Promise.withResolvers<void>();
    this.writing = turn.promise;
    await before;
    try {
      return await write();
    } finally {
      turn.resolve();
    }
  }

  private async counted<Result>(operation: string, clientName: string, call: Promise<Result>): Promise<Result> {
    if (clientName.startsWith('S3')) this.enter({ call: operation, s3: { [s3UnitOf(operation)]: 1 } });
    else this.enter({ call: operation, ...(clientName.startsWith('SQS') ? { sqs: 1 } : { kms: 1 }) });
    return call;
  }

  private async countedEvents<Result>(input: Record<string, unknown>, call: Promise<Result>): Promise<Result> {
    this.enter({ call: 'PutEvents', events: (input['Entries'] as readonly unknown[]).length });
    return call;
  }

  private async look(tableName: string | undefined, key: StoredItem): Promise<StoredItem | undefined> {
    const get = new GetItemCommand({ TableName: tableName, Key: key, ConsistentRead: true });
    return (await this.looking.send(get)).Item;
  }

  private indexWrites(before: StoredItem | undefined, after: StoredItem | undefined): Record<string, number> {
    const written = this.indexes.flatMap((index): [string, number][] => {
      const units = indexWriteUnits(index, before, after);
      return units > 0 ? [[index.name, units]] : [];
    });
    return Object.fromEntries(written);
  }

  /** Each write of a transaction is charged twice, but not those of the indexes. One that is refused is not accounted for. */
  private async transact({ TransactItems: writes = [] }: TransactWriteItemsCommandInput, send: () => ReturnType<Next>) {
    const keyed = writes.map(({ Put: put, Update: update, Delete: remove, ConditionCheck: check }) => {
      const { TableName: name } = put ?? update ?? remove ?? check ?? {};
      const { pk, sk } = put?.Item ?? (update ?? remove ?? check)?.Key ?? {};
      return { name, key: { pk: pk!, sk: sk! } };
    });
    const look = () => Promise.all(keyed.map(({ name, key }) => this.look(name, key)));
    const before = await look();
    const result = await send();
    const after = await look();
    for (const [at, { key }] of keyed.entries()) {
      this.enter({
        call: `TransactWriteItems ${kindOf(key)}`,
        calls: at === 0 ? 1 : 0,
        bytes: Math.max(...[before[at], after[at]].map((item) => (item ? itemBytes(item) : 0))),
        writes: 2 * writeUnits(before[at], after[at]),
        indexWrites: this.indexWrites(before[at], after[at]),
      });
    }
    return result;
  }

  private async write(operation: string, input: WriteInput, send: () => ReturnType<Next>) {
    const { Item: item = {}, Key: key = { pk: item['pk']!, sk: item['sk']! } } = input;
    const look = () => this.look(input.TableName, key);
    const before = await look();
    const account = async (result: Output | undefined, suffix = '') => {
      // A refused write is charged for the item that refuses it.
      const after = result ? await look() : before;
      this.enter({
        call: `${operation} ${kindOf(key)}${suffix}`,
        bytes: Math.max(...[before, after].map((item) => (item ? itemBytes(item) : 0))),
        writes: writeUnits(before, after),
        indexWrites: this.indexWrites(before, after),
        reported: result && reportedBy(result),
      });
    };
    try {
      const result = await send();
      await account(result.output);
      return result;
    } catch (error) {
      await account(undefined, ', refused');
      throw error;
    }
  }

  private async read(operation: string, input: Record<string, unknown>, call: ReturnType<Next>) {
    const result = await call;
    const { output } = result;
    const reported = reportedBy(output);
    if (operation === 'GetItem') {
      const { Key: key = {}, ConsistentRead: isConsistent } = input as unknown as GetItemCommandInput;
      const reads = readUnits(output.Item) / (isConsistent ? 1 : 2);
      const bytes = output.Item ? itemBytes(output.Item) : 0;
      this.enter({ call: `GetItem ${kindOf(key)}`, bytes, reads, reported });
    } else if (operation === 'Query') {
      await this.enterQuery(input as unknown as QueryCommandInput, reported);
    } else if (operation === 'BatchGetItem') {
      const keys = Object.values((input as unknown as BatchGetItemCommandInput).RequestItems ?? {});
      const items = Object.values(output.Responses ?? {}).flat();
      const missing = keys.reduce((sum, { Keys = [] }) => sum + Keys.length, 0) - items.length;
      const reads = items.reduce((sum, item) => sum + readUnits(item), missing);
      const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
      this.enter({ call: `BatchGetItem ${kindOf(keys[0]?.Keys?.[0] ?? {})}`, bytes, reads, reported });
    } else throw new Error(`${operation} is not accounted for.`);
    return result;
  }

  /** A projection saves no units: all that is read counts, so it is read again whole. */
  private async enterQuery(input: QueryCommandInput, reported: number | undefined): Promise<void> {
    const { ProjectionExpression: _, ReturnConsumedCapacity: __, ...whole } = input;
    const { Items: items = [] } = await this.looking.send(new QueryCommand(whole));
    const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
    const reads = queryUnits(items) / (input.ConsistentRead ? 1 : 2);
    const partition = Object.values(input.ExpressionAttributeValues ?? {})[0]?.S ?? '';
    this.enter({ call: `Query ${kindOf({ pk: { S: partition } })}`, bytes, reads, reported });
  }

  private enter(entry: Omit<Entry, 'step'>): void {
    this.entries.push({ step: this.step, ...entry });
  }
}

/** `RUN`, `PAYLOAD`, `ATTEMPT`, `LOAD` …: the first part of the sort key, or of the partition key without one or beside an id. */
function kindOf({ pk, sk }: StoredItem): string {
  const [first, second] = [sk, pk].map((key) => (key?.S ?? '').replace(/#.*/, ''));
  return first !== '' && !/^\d/.test(first ?? '') ? first! : (second ?? '');
}

function reportedBy({ ConsumedCapacity: consumed }: Output): number | undefined {
  const parts = [consumed ?? []].flat();
  return parts.length === 0 ? undefined : parts.reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
}
