import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListDeadLetterSourceQueuesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

/** A message that was received stays hidden from other readers for this long if the process dies. */
const HIDDEN_SECONDS = 120;
const LISTED_MAX = 100;
/** A search for one letter reads no more of them. */
const READ_MAX = 1_000;

/** Thrown if the queue has no dead letter with this id, or if another reader has it in flight. */
export class NoDeadLetter extends Error {}

/** The dead letters of the queues of a deployment. */
export class DeadLetters {
  private readonly sqs: SQSClient;
  /** The queue of the dead letters of a queue. */
  private readonly urlOf: (queue: string) => string;

  constructor(sqs: SQSClient, urlOf: (queue: string) => string) {
    this.sqs = sqs;
    this.urlOf = urlOf;
  }

  async state(queue: string) {
    const { Attributes: { QueueArn: arn, ApproximateNumberOfMessages: waiting } = {} } = await this.sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: this.urlOf(queue),
        AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'],
      }),
    );
    return { arn, waiting: Number(waiting) };
  }

  /** Returns letters in the order in which they were sent: all, if they are not more than 100. */
  async list(queue: string): Promise<readonly Message[]> {
    const letters = await this.reading(
      queue,
      (read) => read.length >= LISTED_MAX,
      async (read) => read,
    );
    return letters.toSorted((one, other) => sentAt(one) - sentAt(other));
  }

  async one(queue: string, id: string): Promise<Message> {
    return this.readingOne(queue, id, async (letter) => letter);
  }

  async drop(queue: string, id: string): Promise<void> {
    await this.readingOne(queue, id, ({ ReceiptHandle }) =>
      this.sqs.send(new DeleteMessageCommand({ QueueUrl: this.urlOf(queue), ReceiptHandle })),
    );
  }

  /** Sends all letters back to the queue that they come from; false if they are being sent already. */
  async startRedrive(queue: string): Promise<boolean> {
    const { arn } = await this.state(queue);
    const { Results: [running] = [] } = await this.lastMove(arn);
    if (running?.Status === 'RUNNING') return false;
    // Named, because the bus puts events that it could not deliver into the same queue, and those have no source queue.
    const { queueUrls: [source] = [] } = await this.sqs.send(
      new ListDeadLetterSourceQueuesCommand({ QueueUrl: this.urlOf(queue) }),
    );
    const { Attributes: { QueueArn: destination } = {} } = await this.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: source, AttributeNames: ['QueueArn'] }),
    );
    try {
      await this.sqs.send(new StartMessageMoveTaskCommand({ SourceArn: arn, DestinationArn: destination }));
      return true;
    } catch (error) {
      // Another caller may have started the same move since the check.
      const { Results: [other] = [] } = await this.lastMove(arn);
      if (other?.Status === 'RUNNING') return false;
      throw error;
    }
  }

  /** Sends all letters back, and returns how many messages were moved. */
  async redrive(queue: string): Promise<number> {
    await this.startRedrive(queue);
    const { arn } = await this.state(queue);
    while (true) {
      const { Results: [task] = [] } = await this.lastMove(arn);
      if (task?.Status === 'FAILED') throw new Error(`${queue}: ${task.FailureReason ?? 'the move failed'}.`);
      if (task?.Status === 'CANCELLED') throw new Error(`${queue}: the move was cancelled.`);
      if (task?.Status === 'COMPLETED') return task.ApproximateNumberOfMessagesMoved ?? 0;
      await sleep(500);
    }
  }

  private lastMove(SourceArn: string | undefined) {
    return this.sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
  }

  private async readingOne<Result>(queue: string, id: string, work: (letter: Message) => Promise<Result>) {
    const isIt = ({ MessageId }: Message) => MessageId === id;
    return this.reading(
      queue,
      (read) => read.some(isIt) || read.length >= READ_MAX,
      async (read) => {
        const letter = read.find(isIt);
        if (letter !== undefined) return work(letter);
        throw new NoDeadLetter(
          `${queue} has no letter ${id}, or somebody else is reading it: try again after two minutes.`,
        );
      },
    );
  }

  /** Receives letters until there are enough or no more, works on them, and makes them visible again. */
  private async reading<Result>(
    queue: string,
    isEnough: (letters: readonly Message[]) => boolean,
    work: (letters: readonly Message[]) => Promise<Result>,
  ): Promise<Result> {
    const letters: Message[] = [];
    try {
      while (!isEnough(letters)) {
        const received = await this.receive(queue);
        if (received.length === 0) break;
        letters.push(...received);
      }
      return await work(letters);
    } finally {
      for (let first = 0; first < letters.length; first += 10)
        await this.release(queue, letters.slice(first, first + 10));
    }
  }

  private async receive(queue: string): Promise<readonly Message[]> {
    const { Messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.urlOf(queue),
        MaxNumberOfMessages: 10,
        VisibilityTimeout: HIDDEN_SECONDS,
        // A long poll asks all servers of the queue.
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  private async release(queue: string, letters: readonly Message[]): Promise<void> {
    const Entries = letters.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    await this.sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: this.urlOf(queue), Entries }));
  }
}

/** Returns when a letter was sent first, in milliseconds. */
export const sentAt = ({ Attributes }: Message): number => Number(Attributes?.SentTimestamp);
