/** The permissions that a call of SQS needs. */
import type { NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type JsonObject, textIn } from '../endpoint/json.ts';

const ON_QUEUE_URL = [
  'ChangeMessageVisibility',
  'DeleteMessage',
  'DeleteQueue',
  'GetQueueAttributes',
  'ListDeadLetterSourceQueues',
  'PurgeQueue',
  'ReceiveMessage',
  'SendMessage',
  'SetQueueAttributes',
];

/** Batches need the permission of the single form. */
const BATCHES = ['ChangeMessageVisibilityBatch', 'DeleteMessageBatch', 'SendMessageBatch'];
const ON_QUEUE_NAME = ['CreateQueue', 'GetQueueUrl'];

export function permissionsOf(
  operation: string,
  body: JsonObject,
  arnOf: (name: string) => string,
): readonly NeededPermission[] {
  const action = `sqs:${operation}`;
  if (ON_QUEUE_URL.includes(operation)) return [{ action, resource: arnOf(queueNameIn(body)) }];
  if (BATCHES.includes(operation))
    return [{ action: action.slice(0, -'Batch'.length), resource: arnOf(queueNameIn(body)) }];
  if (ON_QUEUE_NAME.includes(operation)) return [{ action, resource: arnOf(textIn(body, 'QueueName') ?? '') }];
  if (operation === 'ListQueues') return [{ action, resource: '*' }];
  if (operation === 'ListMessageMoveTasks') return [{ action, resource: textIn(body, 'SourceArn') ?? '' }];
  if (operation === 'StartMessageMoveTask') return ofMove(body);
  throw new Error(`The permissions of ${operation} are missing here.`);
}

/** The last part of the URL; its host may be any, because tools and templates disagree about it. */
export function queueNameIn(body: JsonObject): string {
  const url = textIn(body, 'QueueUrl');
  if (url === undefined)
    throw new CallRefusal(400, 'MissingParameter', 'The request must contain the parameter QueueUrl.');
  return url.slice(url.lastIndexOf('/') + 1);
}

function ofMove(body: JsonObject): NeededPermission[] {
  const source = textIn(body, 'SourceArn') ?? '';
  const destination = textIn(body, 'DestinationArn');
  return [
    ...['StartMessageMoveTask', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((operation) => ({
      action: `sqs:${operation}`,
      resource: source,
    })),
    ...(destination === undefined ? [] : [{ action: 'sqs:SendMessage', resource: destination }]),
  ];
}
