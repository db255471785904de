/** DynamoDB: checks calls and passes them to the engine, and corrects what the engine lacks or words differently. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AwsFailure } from '../aws-failures/aws-failures.ts';
import { FailingTables } from '../aws-failures/failing-tables.ts';
import { LateIndexes } from '../aws-failures/late-indexes.ts';
import type {
  AwsRequest,
  AwsResponse,
  AwsService,
  NeededPermission,
  UnsignedRequest,
} from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { isObject, type JsonObject, jsonBody, objectIn, objectsIn, textIn } from '../endpoint/json.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import { DynoxideStreams } from './dynoxide-streams.ts';
import { Engine, type EngineResponse } from './engine.ts';
import type { DynamoDbEngine } from './engine-choice.ts';
import { ExpiredItems } from './expired-items.ts';
import { KeySchemas } from './key-schemas.ts';
import { type Names, permissionsOf, tableName } from './permissions.ts';
import { itemsByKey, PointInTime, type WrittenItem, writtenItems } from './point-in-time.ts';
import { engineIterator, streamOf, withStream } from './shard-iterator.ts';
import { TableWrites } from './table-writes.ts';
import { deleteExpiredItems, tableNames } from './time-to-live.ts';

export interface DynamoDbOptions extends Names {
  readonly engine: DynamoDbEngine;
  readonly dataDir: string | null;
  readonly now: () => Date;
  /** True if tables can be restored to an earlier time of this run. @default false */
  readonly remembers?: boolean;
  /** @default every call is carried out */
  readonly like?: ReadonlySet<AwsFailure>;
}

const API = 'DynamoDB_20120810';
const STREAMS_API = 'DynamoDBStreams_20120810';

/** Calls that carry items. Their bodies are passed on unchanged, whatever the items contain. */
const DATA_OPERATIONS = new Set(
  ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem']
    .concat('TransactGetItems', 'TransactWriteItems')
    .map((operation) => `${API}.${operation}`),
);

const WRITES = /\.(BatchWriteItem|DeleteItem|PutItem|TransactWriteItems|UpdateItem)$/;

/** A sweep reads whole tables. With this pause after each page it takes at most a twentieth of the engine's time. */
const REST_PER_TIME_SPENT = 20;

/** Another process may write to an engine that this one has not started; DynamoDB Local shows records a little late. */
const UNANNOUNCED_MILLIS = 2_000;
/** Every write to an engine of our own passes here. An iterator must only not grow old. */
const IDLE_MILLIS = 60_000;

export class DynamoDbService implements AwsService {
  readonly signingName = 'dynamodb';
  readonly writes: TableWrites;
  private readonly options: DynamoDbOptions;
  private readonly engine: Engine;
  private readonly keys = new KeySchemas();
  private readonly expired = new ExpiredItems();
  private readonly failing: FailingTables;
  private readonly arnPrefix: string;
  private readonly streams: DynoxideStreams | undefined;
  private readonly pointInTime: PointInTime;
  private readonly indexes: LateIndexes;
  /** The background sweep, while one runs. */
  private slowSweep: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  private constructor(engine: Engine, options: DynamoDbOptions) {
    const { dataDir } = options;
    this.writes = new TableWrites({
      lookAgainMillis: options.engine === 'dynoxide' ? IDLE_MILLIS : UNANNOUNCED_MILLIS,
    });
    this.engine = engine;
    this.failing = new FailingTables(options.like ?? new Set(), (table, key) =>
      this.keys.itemName(tableName(table), key),
    );
    this.options = options;
    this.streams = options.engine === 'dynoxide' && dataDir !== null ? new DynoxideStreams(dataDir) : undefined;
    this.indexes = new LateIndexes(options.now);
    this.pointInTime = new PointInTime({
      remembers: options.remembers ?? false,
      call: this.call,
      keyOf: (table, attributes) => this.keys.keyOf(table, attributes),
      now: options.now,
    });
    this.arnPrefix = `arn:aws:dynamodb:${options.region}:${options.accountId}:`;
  }

  static async start(options: DynamoDbOptions): Promise<DynamoDbService> {
    const service = new DynamoDbService(await Engine.start(options.engine, options.dataDir), options);
    for (const table of await tableNames(service.call)) {
      service.keys.learn(objectIn(await service.call('DescribeTable', { TableName: table }), 'Table'));
    }
    return service;
  }

  /** Asked each time, because a test may begin and end the failures of AWS while the cloud runs. */
  private get lateIndexes(): LateIndexes | undefined {
    return this.options.like?.has('gsi-lag') ? this.indexes : undefined;
  }

  isMeantBy({ headers }: UnsignedRequest): boolean {
    return headers['x-amz-target']?.startsWith('DynamoDB') === true;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    const target = request.headers['x-amz-target'] ?? '';
    return permissionsOf(target, jsonBody(request.body), { keys: this.keys, names: this.options });
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    const target = request.headers['x-amz-target'] ?? '';
    if (DATA_OPERATIONS.has(target)) {
      const namesArn = request.body.includes('arn:aws:dynamodb:');
      const body = namesArn ? JSON.stringify(withTableNames(jsonBody(request.body))) : request.body;
      return this.failing.passed(target.slice(API.length + 1), body, {
        pass: async () => this.asIndexed(target, body, passedOn(await this.send(target, body))),
        refuse: ({ code, message, members }) => withMembers(this.error(400, code, message), members),
      });
    }
    const body = withTableNames(jsonBody(request.body));
    const recovery = await this.recovery(target.slice(API.length + 1), body);
    return recovery ? this.ours(recovery) : this.mended(target, body);
  }

  /** The answers to calls about point-in-time recovery, which no engine has. */
  private async recovery(operation: string, body: JsonObject): Promise<JsonObject | undefined> {
    const table = textIn(body, 'TableName') ?? '';
    switch (operation) {
      case 'UpdateContinuousBackups': {
        const specification = objectIn(body, 'PointInTimeRecoverySpecification');
        return this.pointInTime.enable(table, specification['PointInTimeRecoveryEnabled'] === true);
      }
      case 'DescribeContinuousBackups':
        return this.pointInTime.describe(table);
      case 'RestoreTableToPointInTime':
        return this.pointInTime.restore(body);
      default:
        return undefined;
    }
  }

  error(status: number, code: string, message: string): AwsResponse {
    // DynamoDB answers 400 to everything that is the caller's fault.
    return jsonError({
      status: status < 500 ? 400 : status,
      code,
      message,
      namespace: 'com.amazonaws.dynamodb.v20120810',
    });
  }

  /**
   * Deletes expired items. With hundreds of thousands of items this takes minutes, so no request waits for it.
   * @param eager Deletes at once, even if other calls have to wait.
   */
  async sweep({ eager }: { readonly eager: boolean }): Promise<void> {
    if (eager) {
      await this.stopSlowSweep();
      return this.sweepTables(async () => {});
    }
    this.slowSweep ??= this.startSlowSweep();
    return this.slowSweep.done;
  }

  private startSlowSweep() {
    const stop = new AbortController();
    const rest = (spentMillis: number) => sleep(spentMillis * REST_PER_TIME_SPENT, undefined, { signal: stop.signal });
    const done = this.sweepTables(rest).finally(() => {
      this.slowSweep = undefined;
    });
    return { stop, done };
  }

  private async stopSlowSweep(): Promise<void> {
    this.slowSweep?.stop.abort();
    // It ends with an error, which its caller receives.
    await this.slowSweep?.done.catch(() => {});
  }

  private async sweepTables(rest: (spentMillis: number) => Promise<void>): Promise<void> {
    const now = this.options.now();
    this.streams?.trim(now);
    for (const table of await tableNames(this.call)) {
      const onDelete = (key: JsonObject) => this.expired.note(table, key);
      await deleteExpiredItems(this.call, { table, now, onDelete, rest });
    }
  }

  async close(): Promise<void> {
    await this.stopSlowSweep();
    this.streams?.close();
    await this.engine.close();
    this.pointInTime.close();
  }

  private async send(target: string, body: string | Buffer): Promise<EngineResponse> {
    const written = WRITES.test(target) ? writtenItems(jsonBody(Buffer.from(body))) : [];
    const { lateIndexes } = this;
    const noteLate = lateIndexes && (await this.lateNotes(lateIndexes, written));
    try {
      const answer = await this.engine.send(target, body);
      if (answer.status === 200) noteLate?.();
      return answer;
    } finally {
      // Counts as a write even if the answer is lost, because the write may have happened.
      this.writes.note([...new Set(written.map(({ table }) => tableName(table)))]);
      await this.pointInTime.note(written);
    }
  }

  /** Reads what is about to be written. Returns what says to the indexes, after the write, how the items were. */
  private async lateNotes(indexes: LateIndexes, written: readonly WrittenItem[]): Promise<() => void> {
    const keyOf = (table: string, attributes: JsonObject) => this.keys.keyOf(table, attributes);
    const before: [string, JsonObject | undefined][] = [];
    for (const [table, some = []] of Object.entries(Object.groupBy(written, ({ table }) => tableName(table)))) {
      const keys = new Map(
        some.map(({ attributes }) => [this.keys.itemName(table, attributes), keyOf(table, attributes)]),
      );
      const items = [...(await itemsByKey({ call: this.call, keyOf }, table, [...keys.values()])).values()];
      const byName = new Map(items.map((item) => [this.keys.itemName(table, item), item]));
      before.push(...[...keys.keys()].map((name): [string, JsonObject | undefined] => [name, byName.get(name)]));
    }
    return () => {
      for (const [name, item] of before) indexes.note(name, item);
    };
  }

  /** The answer to a read, which an index may give late. */
  private asIndexed(target: string, body: string | Buffer, answer: AwsResponse): AwsResponse {
    const { lateIndexes } = this;
    if (!lateIndexes || answer.status !== 200 || !/\.(Query|Scan)$/.test(target)) return answer;
    const request = jsonBody(Buffer.from(body));
    const [table, index] = [tableName(textIn(request, 'TableName') ?? ''), textIn(request, 'IndexName') ?? ''];
    const partition = this.keys.partitionOf(table, index);
    if (partition === undefined) return answer;
    const whole = jsonBody(Buffer.from(answer.body as Buffer));
    return ok(lateIndexes.seen(whole, partition, (item) => this.keys.itemName(table, item)));
  }

  /** Lets late indexes show everything that was written until now. */
  indexesCatchUp(): void {
    this.indexes.catchUp();
  }

  private readonly call = async (operation: string, body: JsonObject): Promise<JsonObject> => {
    const { status, body: answer } = await this.send(`${API}.${operation}`, JSON.stringify(body));
    const result = jsonBody(answer);
    if (status === 200) {
      // A table that is restored gets its items at once, and they need the names of its keys.
      if (operation === 'CreateTable') this.keys.learn(objectIn(result, 'TableDescription'));
      return result;
    }
    const code = textIn(result, '__type')?.split('#').at(-1) ?? 'InternalError';
    throw new CallRefusal(status, code, textIn(result, 'message') ?? textIn(result, 'Message') ?? operation);
  };

  /** Passes on a call whose bodies contain ARNs or iterators, translated into the engine's form and back. */
  private async mended(target: string, body: JsonObject): Promise<AwsResponse> {
    const sent = target.startsWith(STREAMS_API) ? withEngineIterator(body) : body;
    const response = await this.engine.send(target, JSON.stringify(sent).replaceAll(this.arnPrefix, ENGINE_ARN));
    if (response.status !== 200) return passedOn(response);
    const result = this.named(response.body.toString());
    this.keys.learn(objectIn(result, target.endsWith('.DescribeTable') ? 'Table' : 'TableDescription'));
    if (!target.startsWith(STREAMS_API)) return ok(result);
    const stream = streamOf(textIn(body, 'ShardIterator') ?? '');
    return ok(withOurIterators(this.expired.named(tableName(stream), result), body));
  }

  /** An answer of the engine with the ARNs of our region and account. */
  private named(text: string): JsonObject {
    const { region, accountId } = this.options;
    const ours = text
      .replaceAll(/arn:aws:(dynamodb|kms):(?:dynoxide|ddblocal):\d{12}:/g, `arn:aws:$1:${region}:${accountId}:`)
      .replaceAll(/"awsRegion":"[^"]*"/g, `"awsRegion":"${region}"`);
    return jsonBody(Buffer.from(ours));
  }

  private ours(answer: JsonObject): AwsResponse {
    return ok(this.named(JSON.stringify(answer)));
  }
}

/** An error with members of its own besides the message. */
const withMembers = (answer: AwsResponse, members: JsonObject = {}): AwsResponse => ({
  ...answer,
  body: JSON.stringify({ ...jsonBody(Buffer.from(String(answer.body))), ...members }),
});

/** Both engines take any region and account in an ARN, as long as the rest is right. */
const ENGINE_ARN = 'arn:aws:dynamodb:ddblocal:000000000000:';

/** Tables may be named by ARN, which not every engine understands. */
function withTableNames(body: JsonObject): JsonObject {
  const table = textIn(body, 'TableName');
  const { RequestItems: requests, TransactItems: transact } = body;
  return {
    ...body,
    ...(table === undefined ? {} : { TableName: tableName(table) }),
    ...(isObject(requests)
      ? { RequestItems: Object.fromEntries(Object.entries(requests).map(([name, entry]) => [tableName(name), entry])) }
      : {}),
    ...(transact === undefined ? {} : { TransactItems: objectsIn(body, 'TransactItems').map(withTableNamesInEntry) }),
  };
}

function withTableNamesInEntry(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).map(([kind, part]) => [kind, isObject(part) ? withTableNames(part) : part]),
  );
}

function withEngineIterator(body: JsonObject): JsonObject {
  const iterator = textIn(body, 'ShardIterator');
  return iterator === undefined ? body : { ...body, ShardIterator: engineIterator(iterator) };
}

function withOurIterators(result: JsonObject, request: JsonObject): JsonObject {
  const iterator = textIn(request, 'ShardIterator');
  const stream = iterator === undefined ? (textIn(request, 'StreamArn') ?? '') : streamOf(iterator);
  const ours = (name: string) => {
    const engines = textIn(result, name);
    return engines === undefined ? {} : { [name]: withStream(stream, engines) };
  };
  return { ...result, ...ours('ShardIterator'), ...ours('NextShardIterator') };
}

function passedOn({ status, headers, body }: EngineResponse): AwsResponse {
  const entries = ['content-type', 'x-amz-crc32', 'x-amzn-requestid'].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(entries), body };
}

function ok(result: JsonObject): AwsResponse {
  return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: JSON.stringify(result) };
}
