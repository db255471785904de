/** The attributes of a queue: their limits and defaults. */
import { CallRefusal } from '../endpoint/call-refusal.ts';

export type Attributes = Readonly<Record<string, string>>;

const DEFAULTS: Attributes = {
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  SqsManagedSseEnabled: 'true',
  VisibilityTimeout: '30',
};

const FIFO_DEFAULTS: Attributes = {
  ContentBasedDeduplication: 'false',
  DeduplicationScope: 'queue',
  FifoThroughputLimit: 'perQueue',
};

const RANGES = new Map<string, readonly [min: number, max: number]>([
  ['DelaySeconds', [0, 900]],
  ['KmsDataKeyReusePeriodSeconds', [60, 86_400]],
  ['MaximumMessageSize', [1024, 1_048_576]],
  ['MessageRetentionPeriod', [60, 1_209_600]],
  ['ReceiveMessageWaitTimeSeconds', [0, 20]],
  ['VisibilityTimeout', [0, 43_200]],
]);

const OTHERS = new Set([
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoQueue',
  'FifoThroughputLimit',
  'KmsMasterKeyId',
  'Policy',
  'RedriveAllowPolicy',
  'RedrivePolicy',
  'SqsManagedSseEnabled',
]);

const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$/;
const FIFO_SUFFIX = '.fifo';

export interface RedrivePolicy {
  readonly deadLetterTargetArn: string;
  readonly maxReceiveCount: number;
}

export function checkQueueName(name: string, attributes: Attributes): void {
  const fifo = attributes['FifoQueue'] === 'true';
  const stem = fifo && name.endsWith(FIFO_SUFFIX) ? name.slice(0, -FIFO_SUFFIX.length) : name;
  if (!QUEUE_NAME.test(stem) || name.length > 80 || fifo !== name.endsWith(FIFO_SUFFIX)) {
    throw invalid(
      'InvalidParameterValue',
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length; FIFO queues end in .fifo',
    );
  }
}

/** Throws on unknown attributes and on values that SQS refuses. */
export function checkAttributes(attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const range = RANGES.get(name);
    if (!range && !OTHERS.has(name)) throw invalid('InvalidAttributeName', `Unknown Attribute ${name}.`);
    if (range && !(/^\d+$/.test(value) && Number(value) >= range[0] && Number(value) <= range[1])) {
      throw invalid(
        'InvalidAttributeValue',
        `Invalid value for the parameter ${name}. Must be ${range[0]} to ${range[1]}.`,
      );
    }
  }
  if (attributes['RedrivePolicy']) redrivePolicy(attributes);
}

export function withDefaults(attributes: Attributes): Attributes {
  return { ...DEFAULTS, ...(attributes['FifoQueue'] === 'true' ? FIFO_DEFAULTS : {}), ...attributes };
}

/** An empty value takes an attribute away. */
export function changed(attributes: Attributes, changes: Attributes): Attributes {
  const entries = Object.entries({ ...attributes, ...changes }).filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}

export function redrivePolicy(attributes: Attributes): RedrivePolicy | null {
  const text = attributes['RedrivePolicy'];
  if (!text) return null;
  const policy = parsed(text);
  const target = policy['deadLetterTargetArn'];
  const count = Number(policy['maxReceiveCount']);
  if (typeof target !== 'string' || !Number.isInteger(count) || count < 1 || count > 1000) {
    throw invalid(
      'InvalidParameterValue',
      `Value ${text} for parameter RedrivePolicy is invalid. Reason: Invalid value for deadLetterTargetArn or maxReceiveCount.`,
    );
  }
  return { deadLetterTargetArn: target, maxReceiveCount: count };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Told below.
  }
  throw invalid('InvalidParameterValue', `Value ${text} is not a JSON object.`);
}

function invalid(code: string, message: string): CallRefusal {
  return new CallRefusal(400, code, message);
}
