/** Checks whether a message is acceptable. */
import { createHash } from 'node:crypto';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type JsonObject, numberIn, objectIn, textIn } from '../endpoint/json.ts';
import { checkMessageAttributes, messageBytes } from './message-attributes.ts';
import type { NewMessage } from './messages.ts';
import { isFifo, type Queue } from './queues.ts';

const DELAY_SECONDS_MAX = 900;

const FORBIDDEN_CHARACTERS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

type Sender = Pick<NewMessage, 'sender' | 'traceHeader'>;

/** Reads SendMessage, or one entry of its batch form. */
export function newMessage(queue: Queue, request: JsonObject, { sender, traceHeader }: Sender): NewMessage {
  const body = textIn(request, 'MessageBody') ?? '';
  const attributes = objectIn(request, 'MessageAttributes');
  if (body === '')
    throw new CallRefusal(400, 'MissingParameter', 'The request must contain the parameter MessageBody.');
  if (FORBIDDEN_CHARACTERS.test(body)) {
    throw new CallRefusal(
      400,
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.',
    );
  }
  checkMessageAttributes(attributes);
  const maximum = Number(queue.attributes['MaximumMessageSize']);
  if (messageBytes(body, attributes) > maximum)
    throw invalid(`One or more parameters are invalid. Reason: Message must be shorter than ${maximum} bytes.`);
  return {
    body,
    attributes,
    sender,
    // The attribute of a message overrides the header of its request.
    traceHeader:
      textIn(objectIn(objectIn(request, 'MessageSystemAttributes'), 'AWSTraceHeader'), 'StringValue') ?? traceHeader,
    groupId: groupIdOf(queue, request),
    deduplicationId: deduplicationIdOf(queue, request, body),
    delaySeconds: delayOf(queue, request),
  };
}

function delayOf(queue: Queue, request: JsonObject): number {
  const own = numberIn(request, 'DelaySeconds');
  if (own === undefined) return Number(queue.attributes['DelaySeconds']);
  if (!Number.isInteger(own) || own < 0 || own > DELAY_SECONDS_MAX) {
    throw invalid(
      `Value ${own} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${DELAY_SECONDS_MAX}.`,
    );
  }
  if (isFifo(queue) && own !== 0) {
    throw invalid(
      `Value ${own} for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.`,
    );
  }
  return isFifo(queue) ? Number(queue.attributes['DelaySeconds']) : own;
}

/** Required on FIFO queues; on standard queues it makes them fair and is handed on. */
function groupIdOf(queue: Queue, request: JsonObject): string | undefined {
  const id = textIn(request, 'MessageGroupId');
  if (id === undefined && isFifo(queue))
    throw new CallRefusal(400, 'MissingParameter', 'The request must contain the parameter MessageGroupId.');
  return checkedId('MessageGroupId', id);
}

function deduplicationIdOf(queue: Queue, request: JsonObject, body: string): string | undefined {
  const id = checkedId('MessageDeduplicationId', textIn(request, 'MessageDeduplicationId'));
  if (!isFifo(queue)) {
    if (id !== undefined)
      throw invalid(
        `Value ${id} for parameter MessageDeduplicationId is invalid. Reason: The request includes a parameter that is not valid for this queue type.`,
      );
    return undefined;
  }
  if (id !== undefined) return id;
  if (queue.attributes['ContentBasedDeduplication'] === 'true') return createHash('sha256').update(body).digest('hex');
  throw invalid(
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  );
}

function checkedId(name: string, id: string | undefined): string | undefined {
  if (id === undefined || /^[\x21-\x7e]{1,128}$/.test(id)) return id;
  throw invalid(
    `Value ${id} for parameter ${name} is invalid. Reason: ${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  );
}

function invalid(message: string): CallRefusal {
  return new CallRefusal(400, 'InvalidParameterValue', message);
}
