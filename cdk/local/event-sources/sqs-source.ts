/** Polls a queue for a function: at least once, several batches at a time, failures left to the queue. */
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Activity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import { reasonOf } from '../lambda/async-invocations.ts';
import type { FunctionDefinition } from '../lambda/function-definition.ts';
import type { Functions, Invocation } from '../lambda/functions.ts';
import type { Arrivals, Since } from '../sqs/arrivals.ts';
import { batchVerdict } from './batch-response.ts';
import type { EventSource } from './event-source.ts';
import { bodyForFilter, type RecordFilter } from './filter.ts';

export interface SqsSourceOptions {
  readonly queueArn: string;
  readonly queueUrl: string;
  readonly arrivals: Arrivals;
  /** Shows the messages again that functions of an earlier run held. */
  readonly release: (queueName: string) => void;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly region: string;
  readonly functions: Functions;
  readonly definition: FunctionDefinition;
  /** Acts as the function's role. */
  readonly sqs: SQSClient;
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** The maximum of batches that are being handled at the same time. */
  readonly maxConcurrency: number;
  readonly reportsFailures: boolean;
  readonly filter: RecordFilter;
  /** Returns failed messages to the queue after this time, for tests. @default when their visibility timeout ends, as on AWS */
  readonly retry?: { readonly afterSeconds: number; readonly sqs: SQSClient } | undefined;
  readonly report: (line: string) => void;
}

const RECEIVE_MAX = 10;
/** A batch stays below Lambda's 6 MB, with room for what every record adds. */
const BATCH_BYTES_MAX = 5_500_000;

export class SqsSource implements EventSource {
  private readonly options: SqsSourceOptions;
  private readonly queueName: string;
  /** The name of this source's work in `Activity`. */
  private readonly activityName: string;
  private readonly stopping = new AbortController();
  private readonly inHand = new Set<Promise<void>>();
  private visibilitySeconds = 30;
  private polling: Promise<void> = Promise.resolve();

  constructor(options: SqsSourceOptions) {
    this.options = options;
    this.queueName = options.queueArn.split(':').at(-1) ?? '';
    this.activityName = `messages of ${this.queueName}`;
  }

  async start(): Promise<void> {
    const { sqs, queueUrl, definition, activity } = this.options;
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['VisibilityTimeout'] }),
    );
    this.visibilitySeconds = Number(Attributes?.['VisibilityTimeout'] ?? 30);
    if (this.visibilitySeconds < definition.timeoutSeconds) {
      throw new Error(
        `The queue of ${definition.path} shows a message again after ${this.visibilitySeconds} s, while the function may take ${definition.timeoutSeconds} s.`,
      );
    }
    this.options.release(this.queueName);
    this.polling = activity.during(this.activityName, () => this.poll());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.polling;
    await Promise.all(this.inHand);
  }

  private async poll() {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        // The batches are under way then, not the poll.
        while (this.inHand.size >= this.options.maxConcurrency) await this.idle(() => Promise.race(this.inHand));
        if (signal.aborted) return;
        for (const batch of batchesOf(await this.gather(), this.options.batchSize)) this.take(batch);
      } catch (error) {
        if (signal.aborted) return;
        this.options.report(`${this.options.definition.path} cannot read its queue: ${String(error)}`);
        await this.pause(1000);
      }
    }
  }

  /** Enough messages for the batches that may run now; with a batching window it waits for a batch to fill. */
  private async gather(): Promise<Message[]> {
    const { batchSize, windowSeconds, maxConcurrency, clock, arrivals } = this.options;
    // A FIFO queue gets one batch at a time: otherwise messages of one group could be handled concurrently.
    const batches = this.queueName.endsWith('.fifo') ? 1 : Math.max(1, maxConcurrency - this.inHand.size);
    const free = batches * batchSize;
    const since = arrivals.since(this.queueName);
    const messages = await this.receive(Math.min(RECEIVE_MAX, free));
    if (messages.length === 0) await this.nextArrival(since, this.stopping.signal);
    if (messages.length === 0 || windowSeconds === 0) return messages;
    const end = new AbortController();
    const cancel = clock.after(windowSeconds * 1000, () => end.abort());
    const signal = AbortSignal.any([end.signal, this.stopping.signal]);
    while (messages.length < batchSize && !signal.aborted) {
      const seen = arrivals.since(this.queueName);
      const more = await this.receive(Math.min(RECEIVE_MAX, batchSize - messages.length));
      messages.push(...more);
      if (more.length === 0) await this.nextArrival(seen, signal);
    }
    cancel();
    return messages;
  }

  private nextArrival(since: Since, signal: AbortSignal): Promise<void> {
    return this.idle(() => this.options.arrivals.next(this.queueName, { since, signal }));
  }

  private pause(millis: number): Promise<void> {
    return this.idle(() => this.options.clock.pause(millis, this.stopping.signal));
  }

  private idle(wait: () => Promise<void>): Promise<void> {
    return this.options.activity.except(this.activityName, wait);
  }

  /** Does not wait for messages: the poll waits in this process, and asks with the permissions that it has then. */
  private async receive(most: number): Promise<Message[]> {
    const { sqs, queueUrl } = this.options;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: most,
        WaitTimeSeconds: 0,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
      { abortSignal: this.stopping.signal },
    );
    return Messages;
  }

  private take(messages: readonly Message[]) {
    const work = this.options.activity
      .during(this.activityName, () => this.work(messages))
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.options.report(`${this.options.definition.path}: ${String(error)}`);
      })
      .finally(() => this.inHand.delete(work));
    this.inHand.add(work);
  }

  private async work(messages: readonly Message[]) {
    const matches = messages.filter((message) => this.options.filter(this.forFilter(message)));
    // Messages that no filter matches are deleted.
    await this.remove(messages.filter((message) => !matches.includes(message)));
    if (matches.length === 0) return;
    const outcome = await this.invoke(JSON.stringify({ Records: matches.map((message) => this.recordOf(message)) }));
    const failed = this.failedOf(matches, outcome);
    await this.remove(matches.filter((message) => !failed.includes(message)));
    await this.returnSoon(failed);
  }

  /** A throttled batch is retried as long as its messages are invisible to other receivers. */
  private async invoke(payload: string): Promise<Invocation> {
    const { functions, definition, clock } = this.options;
    const { signal } = this.stopping;
    const end = clock.millis() + (this.visibilitySeconds - definition.timeoutSeconds) * 1000;
    for (let delay = 100; ; delay = Math.min(delay * 2, 2000)) {
      const outcome = await functions.invoke(definition.arn, payload);
      if (outcome.kind !== 'throttled' || signal.aborted || clock.millis() + delay > end) return outcome;
      await this.pause(delay);
    }
  }

  private failedOf(messages: readonly Message[], outcome: Invocation): readonly Message[] {
    const { definition, reportsFailures, report } = this.options;
    if (outcome.kind !== 'result') {
      if (!this.stopping.signal.aborted)
        report(`${definition.path} failed on ${messages.length} messages: ${reasonOf(outcome)}`);
      return messages;
    }
    if (!reportsFailures) return [];
    const verdict = batchVerdict(
      outcome.payload,
      messages.map(({ MessageId = '' }) => MessageId),
    );
    if (verdict.kind === 'some') return messages.filter(({ MessageId = '' }) => verdict.failed.has(MessageId));
    report(`${definition.path} failed on ${messages.length} messages: ${verdict.reason}`);
    return messages;
  }

  private async remove(messages: readonly Message[]) {
    const { sqs, queueUrl } = this.options;
    for (let i = 0; i < messages.length; i += RECEIVE_MAX) {
      const Entries = messages
        .slice(i, i + RECEIVE_MAX)
        .map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  }

  private async returnSoon(messages: readonly Message[]) {
    const { retry, queueUrl } = this.options;
    if (!retry || messages.length === 0) return;
    const Entries = messages.slice(0, RECEIVE_MAX).map(({ ReceiptHandle }, n) => ({
      Id: String(n),
      ReceiptHandle,
      VisibilityTimeout: retry.afterSeconds,
    }));
    await retry.sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
    await this.returnSoon(messages.slice(RECEIVE_MAX));
  }

  private forFilter(message: Message): object {
    return { ...this.recordOf(message), body: bodyForFilter(message.Body ?? '') };
  }

  private recordOf(message: Message) {
    const { queueArn, region } = this.options;
    return {
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: message.Attributes ?? {},
      messageAttributes: Object.fromEntries(
        Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
      ),
      md5OfBody: message.MD5OfBody,
      eventSource: 'aws:sqs',
      eventSourceARN: queueArn,
      awsRegion: region,
    };
  }
}

/** Batches as Lambda makes them: of a number of messages, and below the size of a request. */
function batchesOf(messages: readonly Message[], batchSize: number): Message[][] {
  const batches: Message[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message));
    const batch = batches.at(-1);
    if (batch && batch.length < batchSize && bytes + size <= BATCH_BYTES_MAX) {
      batch.push(message);
      bytes += size;
    } else {
      batches.push([message]);
      bytes = size;
    }
  }
  return batches;
}

function attributeOf({ StringValue, BinaryValue, DataType }: MessageAttributeValue) {
  return {
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
    stringListValues: [],
    binaryListValues: [],
    dataType: DataType,
  };
}
