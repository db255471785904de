/** Queues, their policies, and delivery to them. */
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { flag, ignored, numeric, policyDocument } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import type { Delivery, DeliveryOutcome } from '../events/targets.ts';

const QueueProperties = z.strictObject({
  QueueName: z.string().optional(),
  FifoQueue: flag.default(false),
  ContentBasedDeduplication: flag.optional(),
  DeduplicationScope: z.string().optional(),
  FifoThroughputLimit: z.string().optional(),
  DelaySeconds: numeric.default(0),
  MaximumMessageSize: numeric.default(1_048_576),
  MessageRetentionPeriod: numeric.default(345_600),
  ReceiveMessageWaitTimeSeconds: numeric.default(0),
  VisibilityTimeout: numeric.default(30),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: numeric }).optional(),
  RedriveAllowPolicy: ignored,
  SqsManagedSseEnabled: ignored,
  KmsMasterKeyId: ignored,
  KmsDataKeyReusePeriodSeconds: ignored,
  Tags: ignored,
});

const PolicyProperties = z.strictObject({ Queues: z.array(z.string()), PolicyDocument: policyDocument });

export function sqsResources(cloud: CloudContext): ResourceFamily {
  const { clients, region, accountId, permissions, targets } = cloud;
  const arnOf = (name: string) => `arn:aws:sqs:${region}:${accountId}:${name}`;

  const queue = async (resource: DeclaredResource): Promise<Provisioned> => {
    const properties = propertiesOf(resource, QueueProperties);
    const given = properties.QueueName ?? physicalName('queue', resource);
    const name = properties.FifoQueue && !given.endsWith('.fifo') ? `${given}.fifo` : given;
    await ensureQueue(clients.sqs, name, attributesOf(properties));
    return {
      ref: queueUrl(cloud, arnOf(name)),
      attributes: { Arn: arnOf(name), QueueName: name, QueueUrl: queueUrl(cloud, arnOf(name)) },
    };
  };

  const policy = (resource: DeclaredResource): Provisioned => {
    const { Queues, PolicyDocument } = propertiesOf(resource, PolicyProperties);
    for (const url of Queues) permissions.setResourcePolicy(arnOf(url.split('/').at(-1) ?? ''), PolicyDocument);
    return { ref: physicalName('other', resource), attributes: {} };
  };

  targets.register('sqs', (delivery) => send(cloud, delivery));
  return { types: { 'AWS::SQS::Queue': queue, 'AWS::SQS::QueuePolicy': policy } };
}

/** Returns the URL at which this machine reaches the queue of an ARN. */
export function queueUrl({ endpoint, accountId }: CloudContext, queueArn: string): string {
  return `${endpoint.url}/${accountId}/${queueArn.split(':').at(-1)}`;
}

/** A client that acts as a role, so that the endpoint checks the role's permissions. */
export function sqsClientOf({ endpoint, region, roles }: CloudContext, roleArn: string): SQSClient {
  return new SQSClient({ endpoint: endpoint.url, region, credentials: roles.credentialsOf(roleArn) });
}

async function ensureQueue(sqs: SQSClient, name: string, attributes: Record<string, string>) {
  const existing = await urlOf(sqs, name);
  if (existing === undefined) {
    await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    return;
  }
  const { FifoQueue: _, ...changeable } = attributes;
  await sqs.send(
    new SetQueueAttributesCommand({
      QueueUrl: existing,
      // An empty policy takes away the one of an earlier start.
      Attributes: { RedrivePolicy: '', ...changeable },
    }),
  );
}

async function urlOf(sqs: SQSClient, name: string): Promise<string | undefined> {
  try {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
    return QueueUrl;
  } catch (error) {
    if (error instanceof QueueDoesNotExist) return undefined;
    throw error;
  }
}

function attributesOf(properties: z.output<typeof QueueProperties>): Record<string, string> {
  const { RedrivePolicy, FifoQueue, ContentBasedDeduplication, DeduplicationScope, FifoThroughputLimit } = properties;
  return {
    DelaySeconds: String(properties.DelaySeconds),
    MaximumMessageSize: String(properties.MaximumMessageSize),
    MessageRetentionPeriod: String(properties.MessageRetentionPeriod),
    ReceiveMessageWaitTimeSeconds: String(properties.ReceiveMessageWaitTimeSeconds),
    VisibilityTimeout: String(properties.VisibilityTimeout),
    ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
    ...(FifoQueue && { FifoQueue: 'true' }),
    ...(ContentBasedDeduplication !== undefined && { ContentBasedDeduplication: String(ContentBasedDeduplication) }),
    ...(DeduplicationScope !== undefined && { DeduplicationScope }),
    ...(FifoThroughputLimit !== undefined && { FifoThroughputLimit }),
  };
}

/** Sends as a role, or as a service of AWS that the queue's policy must then allow. */
async function send(cloud: CloudContext, delivery: Delivery): Promise<DeliveryOutcome> {
  const { targetArn, payload, from, roleArn, traceHeader, attributes = {} } = delivery;
  const { permissions, clients } = cloud;
  const call = { service: from.service, action: 'sqs:SendMessage', resource: targetArn, sourceArn: from.sourceArn };
  if (roleArn === undefined && !permissions.serviceMay(call)) {
    return {
      kind: 'refused',
      reason: `The policy of ${targetArn} does not let ${from.service} send for ${from.sourceArn}.`,
    };
  }
  const client = roleArn === undefined ? clients.sqs : sqsClientOf(cloud, roleArn);
  await client.send(
    new SendMessageCommand({
      QueueUrl: queueUrl(cloud, targetArn),
      MessageBody: payload,
      ...(traceHeader !== undefined && {
        MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: traceHeader } },
      }),
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
      ),
    }),
  );
  return { kind: 'delivered' };
}
