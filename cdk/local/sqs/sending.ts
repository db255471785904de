/** What makes a message acceptable. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type JsonObject, numberIn, objectIn, textIn } from '../endpoint/json.ts';
import { checkMessageAttributes, messageBytes } from './message-attributes.ts';
import type { NewMessage } from './messages.ts';
import type { Queue } from './queues.ts';

const DELAY_SECONDS_MAX = 900;

const FORBIDDEN_CHARACTERS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Reads SendMessage, or one entry of its batch form. */
export function newMessage(queue: Queue, request: JsonObject, sender: string): NewMessage {
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
    traceHeader: textIn(objectIn(objectIn(request, 'MessageSystemAttributes'), 'AWSTraceHeader'), 'StringValue'),
    groupId: groupIdIn(request),
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
  return own;
}

/** The queue is fair between the groups that it makes. */
function groupIdIn(request: JsonObject): string | undefined {
  if (textIn(request, 'MessageDeduplicationId') !== undefined) {
    throw invalid('MessageDeduplicationId is of FIFO queues, which the local cloud does not have.');
  }
  const id = textIn(request, 'MessageGroupId');
  if (id === undefined || /^[\x21-\x7e]{1,128}$/.test(id)) return id;
  throw invalid(
    `Value ${id} for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  );
}

function invalid(message: string): CallRefusal {
  return new CallRefusal(400, 'InvalidParameterValue', message);
}
