/** Shows queues and messages to callers. */
import type { JsonObject } from '../endpoint/json.ts';
import { md5, md5OfAttributes, selectedAttributes } from './message-attributes.ts';
import type { Counts, Message, NewMessage, SentMessage } from './messages.ts';
import { isFifo, type Queue } from './queues.ts';

export interface Selection {
  readonly systemAttributes: readonly string[];
  readonly attributes: readonly string[];
}

export function shownMessage(message: Message, queue: Queue, selection: Selection): JsonObject {
  const attributes = selectedAttributes(message.attributes, selection.attributes);
  const system = selected(systemAttributes(message, queue), selection.systemAttributes);
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: md5(message.body),
    Body: message.body,
    ...(Object.keys(system).length > 0 ? { Attributes: system } : {}),
    ...(Object.keys(attributes).length > 0
      ? { MessageAttributes: attributes, MD5OfMessageAttributes: md5OfAttributes(attributes) }
      : {}),
  };
}

export function shownSent(message: NewMessage, { messageId, sequence }: SentMessage, queue: Queue): JsonObject {
  return {
    MessageId: messageId,
    MD5OfMessageBody: md5(message.body),
    ...(Object.keys(message.attributes).length > 0
      ? { MD5OfMessageAttributes: md5OfAttributes(message.attributes) }
      : {}),
    ...(isFifo(queue) ? { SequenceNumber: sequenceNumber(sequence) } : {}),
  };
}

export function shownAttributes(queue: Queue, counts: Counts, names: readonly string[]): JsonObject {
  const all: Record<string, string> = {
    ...queue.attributes,
    QueueArn: queue.arn,
    CreatedTimestamp: String(Math.floor(queue.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedAt / 1000)),
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
  };
  return selected(all, names);
}

function systemAttributes(message: Message, queue: Queue): Record<string, string> {
  return {
    SenderId: message.sender,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.groupId === undefined ? {} : { MessageGroupId: message.groupId }),
    ...(message.deduplicationId === undefined ? {} : { MessageDeduplicationId: message.deduplicationId }),
    ...(isFifo(queue) ? { SequenceNumber: sequenceNumber(message.sequence) } : {}),
    ...(message.traceHeader === undefined ? {} : { AWSTraceHeader: message.traceHeader }),
    ...(message.deadLetterSource === undefined ? {} : { DeadLetterQueueSourceArn: message.deadLetterSource }),
  };
}

function selected(all: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  if (names.includes('All')) return { ...all };
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

function sequenceNumber(sequence: number): string {
  return String(sequence).padStart(20, '0');
}
