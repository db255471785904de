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
import { reasonOf } from '../functions/async-invocations.ts';
import type { FunctionDefinition } from '../functions/function-definition.ts';
import type { Functions, Invocation } from '../functions/functions.ts';
import { batchVerdict } from './batch-response.ts';
import { type EventSource, pause } from './event-source.ts';
import { bodyForFilter, type RecordFilter } from './filter.ts';

export interface SqsSourceOptions {
  readonly queueArn: string;
  readonly queueUrl: string;
  readonly region: string;
  readonly functions: Functions;
  readonly definition: FunctionDefinition;
  /** Acts as the function's role. */
  readonly sqs: SQSClient;
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** Most batches in hand at the same time. */
  readonly maxConcurrency: number;
  readonly reportsFailures: boolean;
  readonly filter: RecordFilter;
  /** A test's short cut: failed messages come back after so long. By default when their visibility ends, as on AWS. */
  readonly retry?: { readonly afterSeconds: number; readonly sqs: SQSClient } | undefined;
  readonly report: (line: string) => void;
}

const RECEIVE_MAX = 10;
const WAIT_SECONDS = 20;
/** Below Lambda's 6 MB, with room for what every record adds. */
const BATCH_BYTES_MAX = 5_500_000;

export class SqsSource implements EventSource {
  private readonly options: SqsSourceOptions;
  private readonly stopping = new AbortController();
  private readonly inHand = new Set<Promise<void>>();
  private visibilitySeconds = 30;
  private polling: Promise<void> = Promise.resolve();

  constructor(options: SqsSourceOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    const { sqs, queueUrl, definition } = this.options;
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['VisibilityTimeout'] }),
    );
    this.visibilitySeconds = Number(Attributes?.['VisibilityTimeout'] ?? 30);
    if (this.visibilitySeconds < definition.timeoutSeconds) {
      throw new Error(
        `The queue of ${definition.path} shows a message again after ${this.visibilitySeconds} s, while the function may take ${definition.timeoutSeconds} s.`,
      );
    }
    this.polling = this.poll();
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
        while (this.inHand.size >= this.options.maxConcurrency) await Promise.race(this.inHand);
        if (signal.aborted) return;
        for (const batch of batchesOf(await this.gather(), this.options.batchSize)) this.take(batch);
      } catch (error) {
        if (signal.aborted) return;
        this.options.report(`${this.options.definition.path} cannot read its queue: ${String(error)}`);
        await pause(1000, signal);
      }
    }
  }

  /** Enough messages for the batches that may run now; with a batching window it waits for a batch to fill. */
  private async gather(): Promise<Message[]> {
    const { batchSize, windowSeconds, maxConcurrency } = this.options;
    const free = Math.max(1, maxConcurrency - this.inHand.size) * batchSize;
    const messages = await this.receive(Math.min(RECEIVE_MAX, free), WAIT_SECONDS);
    const end = Date.now() + windowSeconds * 1000;
    while (messages.length > 0 && messages.length < batchSize && !this.stopping.signal.aborted) {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left <= 0) break;
      messages.push(
        ...(await this.receive(Math.min(RECEIVE_MAX, batchSize - messages.length), Math.min(left, WAIT_SECONDS))),
      );
    }
    return messages;
  }

  private async receive(most: number, waitSeconds: number): Promise<Message[]> {
    const { sqs, queueUrl } = this.options;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: most,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
      { abortSignal: this.stopping.signal },
    );
    return Messages;
  }

  private take(messages: readonly Message[]) {
    const work = this.work(messages)
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.options.report(`${this.options.definition.path}: ${String(error)}`);
      })
      .finally(() => this.inHand.delete(work));
    this.inHand.add(work);
  }

  private async work(messages: readonly Message[]) {
    const wanted = messages.filter((message) => this.options.filter(this.forFilter(message)));
    // What no filter wants is done with.
    await this.remove(messages.filter((message) => !wanted.includes(message)));
    if (wanted.length === 0) return;
    const outcome = await this.invoke(JSON.stringify({ Records: wanted.map((message) => this.recordOf(message)) }));
    const failed = this.failedOf(wanted, outcome);
    await this.remove(wanted.filter((message) => !failed.includes(message)));
    await this.returnSoon(failed);
  }

  /** A throttled batch is tried again for as long as no other receiver can have its messages. */
  private async invoke(payload: string): Promise<Invocation> {
    const { functions, definition } = this.options;
    const { signal } = this.stopping;
    const end = Date.now() + (this.visibilitySeconds - definition.timeoutSeconds) * 1000;
    for (let delay = 100; ; delay = Math.min(delay * 2, 2000)) {
      const outcome = await functions.invoke(definition.arn, payload);
      if (outcome.kind !== 'throttled' || signal.aborted || Date.now() + delay > end) return outcome;
      await pause(delay, signal);
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

/** Batches that Lambda takes: so many messages, and together below the size of a request. */
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
