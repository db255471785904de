/** Reads a DynamoDB stream for a function: shard by shard, in order, each batch until it succeeds or is given up. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type Shard,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { Activity } from '../activity.ts';
import { tableName } from '../dynamodb/permissions.ts';
import type { TableWrites } from '../dynamodb/table-writes.ts';
import { BEGINNING, type Checkpoints } from './checkpoints.ts';
import type { EventSource } from './event-source.ts';
import { StreamBatches, type StreamBatchesOptions } from './stream-batches.ts';

export interface StreamSourceOptions extends StreamBatchesOptions {
  /** Acts as the function's role. */
  readonly streams: DynamoDBStreamsClient;
  readonly writes: TableWrites;
  readonly activity: Activity;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  readonly windowSeconds: number;
  readonly checkpoints: Checkpoints;
}

interface Page {
  readonly records: StreamRecord[];
  /** Nothing at the end of a shard. */
  readonly next: string | undefined;
}

/** Neither engine splits shards; a restarted one may open another. */
const DISCOVERY_MILLIS = 5000;
const RECORDS_MAX = 1000;

export class StreamSource implements EventSource {
  private readonly options: StreamSourceOptions;
  private readonly table: string;
  /** The name of this source's work in `Activity`. */
  private readonly activityName: string;
  private readonly batches: StreamBatches;
  private readonly stopping = new AbortController();
  private readonly shards = new Map<string, Promise<void>>();
  private readonly finished = new Set<string>();
  private discovering: Promise<void> = Promise.resolve();

  constructor(options: StreamSourceOptions) {
    this.options = options;
    this.table = tableName(options.streamArn);
    this.activityName = `stream of ${this.table} for ${options.definition.path}`;
    this.batches = new StreamBatches(options, { signal: this.stopping.signal, pause: (millis) => this.pause(millis) });
  }

  async start(): Promise<void> {
    for (const { ShardId = '' } of await this.listShards()) {
      if (this.options.checkpoints.get(ShardId) === undefined) await this.setStart(ShardId);
    }
    this.discovering = this.options.activity.during(this.activityName, () => this.discover());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.discovering;
    await Promise.all(this.shards.values());
  }

  /** Decides only once where reading a shard begins: records that arrive between two runs must not be skipped. */
  private async setStart(shardId: string) {
    const { checkpoints, startingPosition } = this.options;
    checkpoints.set(shardId, BEGINNING);
    if (startingPosition === 'TRIM_HORIZON') return;
    let iterator = await this.iteratorAt(shardId, BEGINNING);
    while (iterator !== undefined) {
      const { records, next } = await this.read(shardId, iterator, RECORDS_MAX);
      const last = records.at(-1)?.dynamodb?.SequenceNumber;
      if (last === undefined) return;
      checkpoints.set(shardId, last);
      iterator = next;
    }
  }

  private async discover() {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.guarded(async () => {
        const shards = await this.listShards();
        for (const { ShardId = '', ParentShardId = '' } of shards) {
          const parentIsOpen =
            shards.some((other) => other.ShardId === ParentShardId) && !this.finished.has(ParentShardId);
          if (!this.shards.has(ShardId) && !parentIsOpen) {
            this.shards.set(
              ShardId,
              this.options.activity.during(this.activityName, () => this.follow(ShardId)),
            );
          }
        }
      });
      const pauseMillis = Math.max(DISCOVERY_MILLIS, this.options.writes.lookAgainMillis);
      await this.idle(() => wait(pauseMillis, undefined, { signal, ref: false }).catch(() => undefined));
    }
  }

  private async follow(shardId: string) {
    const { signal } = this.stopping;
    let iterator: string | undefined;
    while (!signal.aborted && !this.finished.has(shardId)) {
      await this.guarded(async () => {
        const since = this.options.writes.count(this.table);
        const from = iterator ?? (await this.iteratorAt(shardId, this.options.checkpoints.get(shardId) ?? BEGINNING));
        // After any failure from here on the iterator is asked for anew, from the checkpoint: it may have expired.
        iterator = undefined;
        const { records, next } = await this.gather(shardId, from);
        if (records.length > 0 && !(await this.batches.work(shardId, records))) return;
        const last = records.at(-1)?.dynamodb?.SequenceNumber;
        if (last !== undefined) this.options.checkpoints.set(shardId, last);
        if (next === undefined) this.finished.add(shardId);
        else iterator = next;
        if (records.length === 0 && next !== undefined) await this.nextWrite(since, signal);
      });
    }
  }

  /** One batch; with a batching window it waits for the batch to fill. */
  private async gather(shardId: string, iterator: string | undefined): Promise<Page> {
    const { batchSize, windowSeconds } = this.options;
    if (iterator === undefined) return { records: [], next: undefined };
    const { records, next: afterFirst } = await this.read(shardId, iterator, batchSize);
    let next = afterFirst;
    if (records.length === 0 || windowSeconds === 0) return { records, next };
    const end = new AbortController();
    const cancel = this.options.clock.after(windowSeconds * 1000, () => end.abort());
    const signal = AbortSignal.any([end.signal, this.stopping.signal]);
    while (records.length < batchSize && next !== undefined && !signal.aborted) {
      const since = this.options.writes.count(this.table);
      const more: Page = await this.read(shardId, next, batchSize - records.length);
      records.push(...more.records);
      next = more.next;
      if (more.records.length === 0) await this.nextWrite(since, signal);
    }
    cancel();
    return { records, next };
  }

  /**
   * From the oldest record on where the iterator stands before it. With DynamoDB Local that happens to every stream that
   * was empty: it numbers the records of all tables together, and its iterators do not expect the gaps.
   */
  private async read(shardId: string, iterator: string, limit: number): Promise<Page> {
    try {
      return await this.readAt(iterator, limit);
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      const oldest = await this.iteratorAt(shardId, BEGINNING);
      return oldest === undefined ? { records: [], next: undefined } : this.readAt(oldest, limit);
    }
  }

  private async readAt(ShardIterator: string, limit: number): Promise<Page> {
    const { Records = [], NextShardIterator } = await this.options.streams.send(
      new GetRecordsCommand({ ShardIterator, Limit: Math.min(limit, RECORDS_MAX) }),
    );
    return { records: Records, next: NextShardIterator };
  }

  private async iteratorAt(ShardId: string, position: string): Promise<string | undefined> {
    const at = (where: Pick<GetShardIteratorCommandInput, 'ShardIteratorType' | 'SequenceNumber'>) =>
      this.options.streams.send(new GetShardIteratorCommand({ StreamArn: this.options.streamArn, ShardId, ...where }));
    if (position !== BEGINNING) {
      try {
        const { ShardIterator } = await at({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position });
        return ShardIterator;
      } catch (error) {
        if (!(error instanceof TrimmedDataAccessException)) throw error;
      }
    }
    const { ShardIterator } = await at({ ShardIteratorType: 'TRIM_HORIZON' });
    return ShardIterator;
  }

  private async listShards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let ExclusiveStartShardId: string | undefined;
    do {
      const { StreamDescription } = await this.options.streams.send(
        new DescribeStreamCommand({
          StreamArn: this.options.streamArn,
          ...(ExclusiveStartShardId && { ExclusiveStartShardId }),
        }),
      );
      shards.push(...(StreamDescription?.Shards ?? []));
      ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
    } while (ExclusiveStartShardId);
    return shards;
  }

  private nextWrite(since: number, signal: AbortSignal): Promise<void> {
    return this.idle(() => this.options.writes.next(this.table, { since, signal }));
  }

  private pause(millis: number): Promise<void> {
    return this.idle(() => this.options.clock.pause(millis, this.stopping.signal));
  }

  private idle(waiting: () => Promise<void>): Promise<void> {
    return this.options.activity.except(this.activityName, waiting);
  }

  private async guarded(work: () => Promise<void>) {
    const { signal } = this.stopping;
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      this.options.report(`${this.options.definition.path} cannot read its stream: ${String(error)}`);
      await this.pause(1000);
    }
  }
}
