/** Amazon SQS, our own: the stand-in we tried loses messages (see `cdk/local/README.md`). */
import type { DatabaseSync } from 'node:sqlite';
import { type Activity, AWS_CALL } from '../activity.ts';
import type { AwsFailure } from '../aws-failures/aws-failures.ts';
import type { Clock } from '../clock.ts';
import type { QueueMetrics } from '../cloudwatch/queue-metrics.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { openDatabase } from '../endpoint/database.ts';
import type { WatchedRequest } from '../endpoint/exchange.ts';
import { type JsonObject, listIn, numberIn, objectIn, objectsIn, textIn } from '../endpoint/json.ts';
import { JsonService, type Operation, type Operations } from '../endpoint/json-service.ts';
import { Arrivals } from './arrivals.ts';
import { batched } from './batch.ts';
import { MESSAGE_BYTES_MAX, messageBytes } from './message-attributes.ts';
import { Messages } from './messages.ts';
import { MoveTasks } from './move-tasks.ts';
import { permissionsOf, queueNameIn } from './permissions.ts';
import { shownAttributes, shownMessage, shownSent } from './presentation.ts';
import { isFifo, type Queue, type QueuePolicies, Queues } from './queues.ts';
import { SCHEMA } from './schema.ts';
import { newMessage } from './sending.ts';

export interface SqsOptions {
  readonly region: string;
  readonly accountId: string;
  /** null keeps nothing. */
  readonly file: string | null;
  readonly policies: QueuePolicies;
  readonly clock: Clock;
  readonly activity: Activity;
  /** The endpoint's own URL, because SDKs call the host of a queue's URL. */
  readonly baseUrl: () => string;
  /** @default a queue may be purged as often as one likes */
  readonly like?: ReadonlySet<AwsFailure>;
  /** @default nothing is measured */
  readonly metrics?: QueueMetrics;
}

const VISIBILITY_SECONDS_MAX = 43_200;
const QUEUES_SHOWN_MAX = 1000;
const PURGE_MILLIS = 60_000;

/** Errors that SDKs still recognise by their old names. */
const QUERY_CODES = new Map([
  ['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'],
  ['QueueNameExists', 'QueueAlreadyExists'],
  ...[
    'BatchEntryIdsNotDistinct',
    'BatchRequestTooLong',
    'EmptyBatchRequest',
    'InvalidBatchEntryId',
    'MessageNotInflight',
    'PurgeQueueInProgress',
    'TooManyEntriesInBatchRequest',
    'UnsupportedOperation',
  ].map((code) => [code, `AWS.SimpleQueueService.${code}`] as const),
]);

const PROTOCOL = {
  signingName: 'sqs',
  product: 'SQS',
  target: 'AmazonSQS.',
  version: '1.0',
  namespace: 'com.amazonaws.sqs',
  queryCodeOf: (code: string) => QUERY_CODES.get(code) ?? code,
} as const;

/** All messages of a request get its X-Ray header. */
type SendingRequest = Pick<WatchedRequest, 'principal' | 'headers'>;

type Action = (body: JsonObject, request: WatchedRequest) => JsonObject | Promise<JsonObject>;

export class SqsService {
  private readonly options: SqsOptions;
  private readonly database: DatabaseSync;
  private readonly queues: Queues;
  private readonly messages: Messages;
  private readonly purgedAt = new Map<string, number>();
  private readonly moveTasks: MoveTasks;
  readonly arrivals: Arrivals;
  /** Answers the calls. */
  readonly front: JsonService<undefined>;

  private readonly actions: Readonly<Record<string, Action>> = {
    CreateQueue: (body) => this.createQueue(body),
    DeleteQueue: (body) => this.deleteQueue(this.queueIn(body)),
    GetQueueUrl: (body) => ({ QueueUrl: this.urlOf(this.queues.named(textIn(body, 'QueueName') ?? '')) }),
    GetQueueAttributes: (body) => this.getQueueAttributes(body),
    SetQueueAttributes: (body) => this.done(this.queues.change(this.queueIn(body), texts(body, 'Attributes'))),
    ListQueues: (body) => this.listQueues(body),
    ListDeadLetterSourceQueues: (body) => ({
      queueUrls: this.queues.sourcesOf(this.queueIn(body)).map((queue) => this.urlOf(queue)),
    }),
    PurgeQueue: (body) => this.purge(this.queueIn(body)),
    SendMessage: (body, request) => this.send(this.queueIn(body), body, request),
    SendMessageBatch: (body, request) => this.sendBatch(body, request),
    ReceiveMessage: (body, { gone }) => this.receive(body, gone),
    DeleteMessage: (body) => this.done(this.delete(this.queueIn(body), body)),
    DeleteMessageBatch: (body) => {
      const queue = this.queueIn(body);
      return batched(body, (entry) => this.done(this.delete(queue, entry)));
    },
    ChangeMessageVisibility: (body) => this.changeVisibility(this.queueIn(body), body),
    ChangeMessageVisibilityBatch: (body) => {
      const queue = this.queueIn(body);
      return batched(body, (entry) => this.changeVisibility(queue, entry));
    },
    StartMessageMoveTask: (body) => this.startMessageMoveTask(body),
    ListMessageMoveTasks: (body) => ({
      Results: this.moveTasks.list(textIn(body, 'SourceArn') ?? '', numberIn(body, 'MaxResults') ?? 1),
    }),
  };

  constructor(options: SqsOptions) {
    this.options = options;
    this.database = openDatabase(options.file, SCHEMA);
    this.queues = new Queues({
      database: this.database,
      arnPrefix: `arn:aws:sqs:${options.region}:${options.accountId}:`,
      policies: options.policies,
      now: options.clock.now,
    });
    this.messages = new Messages(this.database, this.queues);
    this.moveTasks = new MoveTasks(this.database, this.queues);
    this.arrivals = new Arrivals({
      clock: options.clock,
      nextVisibleAt: (name, after) => this.messages.nextVisibleAt(this.queues.named(name), after),
    });
    this.front = new JsonService(PROTOCOL, this.operations(), undefined);
  }

  private operations(): Operations<undefined> {
    return Object.fromEntries(
      Object.entries(this.actions).map(([name, action]) => {
        const operation: Operation<undefined> = (_store, body) => ({
          permissions: permissionsOf(name, body, (queue) => this.queues.arnOf(queue)),
          answer: (request) => action(body, request),
        });
        return [name, operation];
      }),
    );
  }

  /** Deletes messages that have exceeded the retention period of their queues. */
  sweep(): void {
    this.messages.expire(this.time());
  }

  /**
   * Makes messages visible again whose functions ended with an earlier run, because nothing else reports that they are
   * gone.
   */
  release(queueName: string): void {
    this.messages.release(this.queues.named(queueName), this.time());
    this.arrivals.announce(queueName);
  }

  measure(at: Date): void {
    const now = this.time();
    for (const queue of this.queues.all()) {
      const oldestSeconds = this.messages.oldestMillis(queue, now) / 1000;
      this.options.metrics?.measured(queue.name, { ...this.messages.counts(queue, now), oldestSeconds }, at);
    }
  }

  /** Ends all waiting; no message is received afterwards. */
  stopWaiting(): void {
    this.arrivals.close();
  }

  close(): void {
    this.stopWaiting();
    this.database.close();
  }

  private createQueue(body: JsonObject): JsonObject {
    if (body['tags'] !== undefined)
      throw new CallRefusal(400, 'UnsupportedOperation', 'The local cloud does not have tags of SQS.');
    const queue = this.queues.create(textIn(body, 'QueueName') ?? '', texts(body, 'Attributes'));
    return { QueueUrl: this.urlOf(queue) };
  }

  private getQueueAttributes(body: JsonObject): JsonObject {
    const queue = this.queueIn(body);
    const names = listIn(body, 'AttributeNames').map(String);
    return { Attributes: shownAttributes(queue, this.messages.counts(queue, this.time()), names) };
  }

  private deleteQueue(queue: Queue): JsonObject {
    this.queues.delete(queue);
    return this.done(this.arrivals.announce(queue.name));
  }

  private purge(queue: Queue): JsonObject {
    const now = this.options.clock.millis();
    const isTooSoon = now - (this.purgedAt.get(queue.name) ?? Number.NEGATIVE_INFINITY) < PURGE_MILLIS;
    if (isTooSoon && this.options.like?.has('purge')) {
      const message = `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`;
      throw new CallRefusal(403, 'PurgeQueueInProgress', message);
    }
    this.purgedAt.set(queue.name, now);
    this.messages.purge(queue, this.time());
    return this.done(this.arrivals.changed(queue.name));
  }

  private listQueues(body: JsonObject): JsonObject {
    const prefix = textIn(body, 'QueueNamePrefix') ?? '';
    const after = textIn(body, 'NextToken') ?? '';
    const matches = this.queues.all().filter(({ name }) => name.startsWith(prefix) && name > after);
    const page = matches.slice(0, numberIn(body, 'MaxResults') ?? QUEUES_SHOWN_MAX);
    const NextToken = matches.length > page.length ? page.at(-1)?.name : undefined;
    return { QueueUrls: page.map((queue) => this.urlOf(queue)), NextToken };
  }

  private send(queue: Queue, body: JsonObject, { principal, headers }: SendingRequest): JsonObject {
    const message = newMessage(queue, body, { sender: principal.arn, traceHeader: headers['x-amzn-trace-id'] });
    const sent = this.messages.send(queue, message, this.time());
    this.options.metrics?.counted(queue.name, 'Sent', 1);
    if (message.delaySeconds === 0) this.arrivals.announce(queue.name);
    else this.arrivals.changed(queue.name);
    return shownSent(message, sent, queue);
  }

  private sendBatch(body: JsonObject, request: SendingRequest): JsonObject {
    const queue = this.queueIn(body);
    const bytes = objectsIn(body, 'Entries').reduce(
      (sum, entry) => sum + messageBytes(textIn(entry, 'MessageBody') ?? '', objectIn(entry, 'MessageAttributes')),
      0,
    );
    if (bytes > MESSAGE_BYTES_MAX) {
      throw new CallRefusal(
        400,
        'BatchRequestTooLong',
        `Batch requests cannot be longer than ${MESSAGE_BYTES_MAX} bytes. You have sent ${bytes} bytes.`,
      );
    }
    return batched(body, (entry) => this.send(queue, entry, request));
  }

  private async receive(body: JsonObject, gone: AbortSignal): Promise<JsonObject> {
    const queue = this.queueIn(body);
    const count = limited(body, 'MaxNumberOfMessages', [1, 10]) ?? 1;
    const visibilitySeconds =
      limited(body, 'VisibilityTimeout', [0, VISIBILITY_SECONDS_MAX]) ?? Number(queue.attributes['VisibilityTimeout']);
    const waitSeconds =
      limited(body, 'WaitTimeSeconds', [0, 20]) ?? Number(queue.attributes['ReceiveMessageWaitTimeSeconds']);
    const selection = {
      systemAttributes: [...listIn(body, 'AttributeNames'), ...listIn(body, 'MessageSystemAttributeNames')].map(String),
      attributes: listIn(body, 'MessageAttributeNames').map(String),
    };
    const signal = waitSeconds === 0 ? gone : AbortSignal.any([gone, AbortSignal.timeout(waitSeconds * 1000)]);
    for (;;) {
      const since = this.arrivals.since(queue.name);
      const { received, movedTo } = this.messages.receive(
        this.queueIn(body),
        { count, visibilitySeconds },
        this.time(),
      );
      for (const name of movedTo) this.arrivals.announce(name);
      if (received.length > 0) {
        this.arrivals.changed(queue.name);
        this.options.metrics?.counted(queue.name, 'Received', received.length);
        return { Messages: received.map((message) => shownMessage(message, queue, selection)) };
      }
      if (waitSeconds === 0 || signal.aborted) return {};
      await this.options.activity.except(AWS_CALL, () => this.arrivals.next(queue.name, { since, signal }));
      // The caller has gone and cannot take a message: it stays visible to others.
      if (gone.aborted || this.arrivals.isClosed) return {};
    }
  }

  private delete(queue: Queue, entry: JsonObject): void {
    this.messages.delete(queue, textIn(entry, 'ReceiptHandle') ?? '', this.time());
    this.options.metrics?.counted(queue.name, 'Deleted', 1);
    // In a FIFO queue this may free the rest of its group.
    if (isFifo(queue)) this.arrivals.announce(queue.name);
    else this.arrivals.changed(queue.name);
  }

  private changeVisibility(queue: Queue, entry: JsonObject): JsonObject {
    const seconds = limited(entry, 'VisibilityTimeout', [0, VISIBILITY_SECONDS_MAX]);
    if (seconds === undefined)
      throw new CallRefusal(400, 'MissingParameter', 'The request must contain the parameter VisibilityTimeout.');
    this.messages.changeVisibility(queue, textIn(entry, 'ReceiptHandle') ?? '', { seconds, now: this.time() });
    return this.done(seconds === 0 ? this.arrivals.announce(queue.name) : this.arrivals.changed(queue.name));
  }

  private startMessageMoveTask(body: JsonObject): JsonObject {
    const { handle, reached } = this.moveTasks.start(
      textIn(body, 'SourceArn') ?? '',
      textIn(body, 'DestinationArn'),
      this.time(),
    );
    for (const name of reached) this.arrivals.announce(name);
    return { TaskHandle: handle };
  }

  /** The answer of operations that return nothing. */
  private done(_result: void): JsonObject {
    return {};
  }

  private queueIn(body: JsonObject): Queue {
    return this.queues.named(queueNameIn(body));
  }

  private urlOf(queue: Queue): string {
    return `${this.options.baseUrl()}/${this.options.accountId}/${queue.name}`;
  }

  private time(): number {
    return this.options.clock.millis();
  }
}

function texts(body: JsonObject, name: string): Record<string, string> {
  const object = objectIn(body, name);
  return Object.fromEntries(Object.keys(object).map((key) => [key, textIn(object, key) ?? '']));
}

function limited(body: JsonObject, name: string, [min, max]: readonly [number, number]): number | undefined {
  const value = numberIn(body, name);
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return value;
  throw new CallRefusal(
    400,
    'InvalidParameterValue',
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${min} and ${max}, if provided.`,
  );
}
