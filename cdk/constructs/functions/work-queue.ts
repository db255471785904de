import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { DeduplicationScope, FifoThroughputLimit, type Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DEAD_LETTERS, QUEUE } from '../../../functions/edge/system/system-parts.ts';
import { settingsOf } from '../../settings.ts';
import { EncryptedQueue, grantDataKey, KEY_ACTIONS } from '../data-key.ts';
import type { ServiceFunction } from './service-function.ts';

export interface WorkQueueProps {
  /** The longest timeout, in seconds, of the function that will work on the messages. */
  readonly workerTimeoutSeconds: number;
  /** The worker holds a message by a short lease that it renews (`holdingMessage`). @default false */
  readonly isLeased?: boolean;
  /** @default 5 */
  readonly maxReceives?: number;
  /** Messages have groups, and of a group one message at a time is worked on: a FIFO queue. @default false */
  readonly isFifo?: boolean;
  /** True if the domain defines its own backlog alarm. @default false: an alarm goes off after an hour */
  readonly hasOwnBacklogAlarm?: boolean;
}

export interface WorkerOptions {
  /** @default 1 */
  readonly batchSize?: number;
  /** The most functions that work on this queue at the same time; at least 2. */
  readonly maxConcurrency: number;
}

/** The FIFO attributes: high throughput, without the limit of 300 calls per second, and deduplication by content. */
const FIFO = {
  fifo: true,
  contentBasedDeduplication: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} satisfies QueueProps;

/**
 * A queue whose messages are worked on at least once. Those that keep failing go to a dead-letter queue for 14 days,
 * with an alarm.
 */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly hasOwnBacklogAlarm: boolean;
  readonly workers: LambdaFunction[] = [];

  constructor(
    scope: Construct,
    id: string,
    {
      workerTimeoutSeconds,
      isLeased = false,
      isFifo = false,
      maxReceives = 5,
      hasOwnBacklogAlarm = false,
    }: WorkQueueProps,
  ) {
    super(scope, id);
    this.hasOwnBacklogAlarm = hasOwnBacklogAlarm;
    this.deadLetters = new EncryptedQueue(this, 'DeadLetters', {
      ...(isFifo && FIFO),
      retentionPeriod: Duration.days(14),
    });
    this.queue = new EncryptedQueue(this, 'Queue', {
      ...(isFifo && FIFO),
      retentionPeriod: Duration.days(14),
      // Six times the function's timeout, as AWS recommends: a message must not come back while it is worked on. A
      // worker that renews a lease on it needs no more than Lambda demands; a throttled message stays hidden for as
      // long. A hidden message holds up its group.
      visibilityTimeout: Duration.seconds(workerTimeoutSeconds * (isLeased || isFifo ? 1 : 6)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
    const [queue, deadLetters]: [typeof QUEUE, typeof DEAD_LETTERS] = ['Queue', 'DeadLetters'];
    new CfnOutput(Stack.of(this), `${queue}${id}`, { value: this.queue.queueUrl });
    // Found by `npm run letters`, too.
    new CfnOutput(Stack.of(this), `${deadLetters}${id}`, { value: this.deadLetters.queueUrl });
  }

  /** Lets a function work on the messages, each of which succeeds or fails by itself. */
  workedOnBy(worker: ServiceFunction, { batchSize = 1, maxConcurrency }: WorkerOptions): void {
    const reserved = settingsOf(this).reservedConcurrency[worker.handlerName] ?? maxConcurrency;
    // The messages that throttled pollers received would count as failed, and end as dead letters.
    if (reserved < maxConcurrency) {
      throw new Error(`Reserve ${maxConcurrency} or more for ${worker.handlerName}: its queue calls so many at once.`);
    }
    this.workers.push(worker);
    grantDataKey(this, worker, 'sqs', KEY_ACTIONS.receives);
    worker.entry.addEventSource(
      new SqsEventSource(this.queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }),
    );
  }
}
