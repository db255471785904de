/** Handles the records of one shard in order: retries and halves failed batches, and gives up to a destination. */
import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { Clock } from '../clock.ts';
import type { FunctionMetrics } from '../cloudwatch/function-metrics.ts';
import type { Targets } from '../events/targets.ts';
import { reasonOf } from '../lambda/async-invocations.ts';
import type { FunctionDefinition } from '../lambda/function-definition.ts';
import type { Functions, Invocation } from '../lambda/functions.ts';
import { batchVerdict } from './batch-response.ts';
import type { RecordFilter } from './filter.ts';
import { streamEvent } from './stream-event.ts';

export interface StreamBatchesOptions {
  readonly streamArn: string;
  readonly region: string;
  readonly functions: Functions;
  readonly metrics: FunctionMetrics;
  readonly targets: Targets;
  readonly definition: FunctionDefinition;
  readonly batchSize: number;
  readonly reportsFailures: boolean;
  readonly bisects: boolean;
  /** -1 tries for as long as the record lives. */
  readonly maxRetries: number;
  /** -1 for as long as the record lives. */
  readonly maxAgeSeconds: number;
  readonly onFailureArn?: string | undefined;
  readonly filter: RecordFilter;
  readonly clock: Clock;
  readonly report: (line: string) => void;
}

/** Shorter than the minute on AWS, because a person waits for it. */
const RETRY_MILLIS_MAX = 10_000;

type GivenUp = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

export class StreamBatches {
  private readonly options: StreamBatchesOptions;
  private readonly signal: AbortSignal;
  private readonly pause: (millis: number) => Promise<void>;

  /** @param life `pause` waits on the clock; it ends early when the signal aborts. */
  constructor(
    options: StreamBatchesOptions,
    { signal, pause }: { readonly signal: AbortSignal; readonly pause: (millis: number) => Promise<void> },
  ) {
    this.options = options;
    this.signal = signal;
    this.pause = pause;
  }

  /** False when the source stopped before all records were done or given up. */
  async work(shardId: string, records: readonly StreamRecord[]): Promise<boolean> {
    let left = records;
    let failures = 0;
    while (left.length > 0) {
      if (this.signal.aborted) return false;
      const matches = left.filter((record) => this.options.filter(this.eventOf(record)));
      if (matches.length === 0) return true;
      const outcome = await this.invoke(matches);
      const rest = this.restAfter(matches, outcome);
      if (rest.length === 0) return true;
      if (this.signal.aborted) return false;
      // The first records are done. The rest is a new batch with its own attempts.
      failures = rest.length < matches.length ? 1 : failures + Number(outcome.kind !== 'throttled');
      left = rest;
      const givenUp = this.givenUp(left, failures);
      if (givenUp) return this.giveUp(shardId, { records: left, failures, condition: givenUp });
      const halves = outcome.kind === 'too-large' || (this.options.bisects && outcome.kind === 'error');
      if (halves && left.length > 1) return this.halves(shardId, left);
      await this.pause(Math.min(100 * 2 ** failures, RETRY_MILLIS_MAX));
    }
    return true;
  }

  private async halves(shardId: string, records: readonly StreamRecord[]): Promise<boolean> {
    const middle = Math.ceil(records.length / 2);
    return (await this.work(shardId, records.slice(0, middle))) && this.work(shardId, records.slice(middle));
  }

  private invoke(records: readonly StreamRecord[]): Promise<Invocation> {
    const { functions, definition, metrics, clock } = this.options;
    const last = records.at(-1)?.dynamodb?.ApproximateCreationDateTime;
    if (last) metrics.readRecords(definition.name, Math.max(0, clock.millis() - last.getTime()));
    return functions.invoke(definition.arn, JSON.stringify({ Records: records.map((record) => this.eventOf(record)) }));
  }

  /** The order of records is kept, so everything from the first failed record on is retried. */
  private restAfter(records: readonly StreamRecord[], outcome: Invocation): readonly StreamRecord[] {
    const { definition, report, reportsFailures } = this.options;
    if (outcome.kind !== 'result') {
      if (!this.signal.aborted) report(`${definition.path} failed on ${records.length} records: ${reasonOf(outcome)}`);
      return records;
    }
    if (!reportsFailures) return [];
    const numbers = records.map((record) => record.dynamodb?.SequenceNumber ?? '');
    const verdict = batchVerdict(outcome.payload, numbers);
    if (verdict.kind === 'some') {
      const first = numbers.findIndex((number) => verdict.failed.has(number));
      return first < 0 ? [] : records.slice(first);
    }
    report(`${definition.path} failed on ${records.length} records: ${verdict.reason}`);
    return records;
  }

  private givenUp(records: readonly StreamRecord[], failures: number): GivenUp | undefined {
    const { maxRetries, maxAgeSeconds, clock } = this.options;
    const created = records[0]?.dynamodb?.ApproximateCreationDateTime;
    if (maxAgeSeconds >= 0 && created && clock.millis() - created.getTime() > maxAgeSeconds * 1000)
      return 'RecordAgeExceeded';
    return maxRetries >= 0 && failures > maxRetries ? 'RetryAttemptsExhausted' : undefined;
  }

  private async giveUp(
    shardId: string,
    { records, failures, condition }: { records: readonly StreamRecord[]; failures: number; condition: GivenUp },
  ): Promise<boolean> {
    const { definition, onFailureArn, report, targets } = this.options;
    report(`${definition.path} gave up ${records.length} records: ${condition}`);
    if (onFailureArn === undefined) return true;
    const delivered = await targets.deliver({
      targetArn: onFailureArn,
      payload: JSON.stringify(this.failureRecord(shardId, { records, failures, condition })),
      from: { service: 'lambda.amazonaws.com', sourceArn: definition.arn },
      roleArn: definition.roleArn,
    });
    if (delivered.kind !== 'delivered') report(`The destination ${onFailureArn} took nothing: ${delivered.reason}`);
    return true;
  }

  private failureRecord(
    shardId: string,
    { records, failures, condition }: { records: readonly StreamRecord[]; failures: number; condition: GivenUp },
  ) {
    const { definition, streamArn, clock } = this.options;
    const first = records[0]?.dynamodb;
    const last = records.at(-1)?.dynamodb;
    return {
      requestContext: {
        requestId: crypto.randomUUID(),
        functionArn: definition.arn,
        condition,
        approximateInvokeCount: failures,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: clock.now().toISOString(),
      DDBStreamBatchInfo: {
        shardId,
        startSequenceNumber: first?.SequenceNumber,
        endSequenceNumber: last?.SequenceNumber,
        approximateArrivalOfFirstRecord: first?.ApproximateCreationDateTime?.toISOString(),
        approximateArrivalOfLastRecord: last?.ApproximateCreationDateTime?.toISOString(),
        batchSize: records.length,
        streamArn,
      },
    };
  }

  private eventOf(record: StreamRecord): object {
    const { region, streamArn } = this.options;
    return streamEvent(record, { region, streamArn });
  }
}
