/** Event source mappings, which connect a queue or a stream with a function. */
import { join } from 'node:path';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { z } from 'zod';
import { stableUuid } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { flag, ignored, numeric } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { FunctionMetrics } from '../cloudwatch/function-metrics.ts';
import type { FunctionDefinition } from '../lambda/function-definition.ts';
import { queueUrl, sqsClientOf } from '../sqs/queue-resources.ts';
import { Checkpoints } from './checkpoints.ts';
import type { EventSource } from './event-source.ts';
import { recordFilter } from './filter.ts';
import { SqsSource } from './sqs-source.ts';
import { StreamSource } from './stream-source.ts';

const Properties = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: flag.default(true),
  BatchSize: numeric.optional(),
  MaximumBatchingWindowInSeconds: numeric.default(0),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  FilterCriteria: z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) }).optional(),
  ScalingConfig: z.strictObject({ MaximumConcurrency: numeric.optional() }).optional(),
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']).optional(),
  MaximumRetryAttempts: numeric.default(-1),
  MaximumRecordAgeInSeconds: numeric.default(-1),
  BisectBatchOnFunctionError: flag.default(false),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }).optional() }).optional(),
  // One reader reads one shard here, so the order within a key is preserved.
  ParallelizationFactor: ignored,
  MetricsConfig: ignored,
  LoggingConfig: ignored,
  KmsKeyArn: ignored,
  Tags: ignored,
});
type Properties = z.output<typeof Properties>;

const SQS_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const STREAM_ACTIONS = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];

export interface EventSourceOptions {
  /** The maximum of concurrent batches of one queue, where the template names no number. */
  readonly queueConcurrency: number;
  /** The time after which failed messages come back; null means their visibility timeout, as on AWS. */
  readonly failedMessagesReturnAfterSeconds: number | null;
}

interface Mapping {
  readonly id: string;
  readonly path: string;
  readonly properties: Properties;
}

export function eventSourceMappings(cloud: CloudContext, options: EventSourceOptions): ResourceFamily {
  const { region, accountId } = cloud;
  const mappings: Mapping[] = [];
  const sources: EventSource[] = [];

  const mapping = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, Properties);
    const id = stableUuid(`${resource.stack}/${resource.logicalId}`);
    if (properties.Enabled) mappings.push({ id, path: resource.path, properties });
    return {
      ref: id,
      attributes: { Id: id, EventSourceMappingArn: `arn:aws:lambda:${region}:${accountId}:event-source-mapping:${id}` },
    };
  };

  return {
    types: { 'AWS::Lambda::EventSourceMapping': mapping },
    async start() {
      for (const declared of mappings) {
        const source = sourceOf(cloud, options, declared);
        await source.start();
        sources.push(source);
      }
    },
    stop: async () => void (await Promise.all(sources.map((source) => source.stop()))),
  };
}

function sourceOf(cloud: CloudContext, options: EventSourceOptions, { id, path, properties }: Mapping): EventSource {
  const { EventSourceArn, FunctionName, DestinationConfig } = properties;
  const definition = cloud.functions.byArn(FunctionName) ?? cloud.functions.named(FunctionName);
  const service = EventSourceArn.split(':')[2];
  if (service === 'sqs') {
    requireActions(cloud, definition, SQS_ACTIONS, EventSourceArn);
    return queueSource(cloud, options, { definition, properties });
  }
  if (service === 'dynamodb') {
    requireActions(cloud, definition, STREAM_ACTIONS, EventSourceArn);
    const destination = DestinationConfig?.OnFailure?.Destination;
    if (destination !== undefined) requireActions(cloud, definition, ['sqs:SendMessage'], destination);
    return streamSource(cloud, { id, definition, properties });
  }
  throw new Error(`${path}: the local cloud cannot poll ${EventSourceArn}.`);
}

function requireActions({ roles }: CloudContext, definition: FunctionDefinition, actions: string[], resource: string) {
  const missing = actions.filter((action) => !roles.allows(definition.roleArn, action, resource));
  if (missing.length > 0) {
    throw new Error(`The role of ${definition.path} is not allowed ${missing.join(', ')} on ${resource}.`);
  }
}

interface Wiring {
  readonly definition: FunctionDefinition;
  readonly properties: Properties;
}

const filterOf = ({ FilterCriteria }: Properties) =>
  recordFilter((FilterCriteria?.Filters ?? []).map(({ Pattern }) => Pattern));

function queueSource(
  cloud: CloudContext,
  options: EventSourceOptions,
  { definition, properties }: Wiring,
): EventSource {
  const { region, functions, report, clients, clock, activity, endpoint } = cloud;
  const {
    EventSourceArn,
    BatchSize = 10,
    MaximumBatchingWindowInSeconds,
    FunctionResponseTypes,
    ScalingConfig,
  } = properties;
  const { failedMessagesReturnAfterSeconds: afterSeconds, queueConcurrency } = options;
  return new SqsSource({
    queueArn: EventSourceArn,
    queueUrl: queueUrl(cloud, EventSourceArn),
    arrivals: endpoint.arrivals,
    release: (queueName) => endpoint.releaseMessages(queueName),
    clock,
    activity,
    region,
    functions,
    definition,
    sqs: sqsClientOf(cloud, definition.roleArn),
    batchSize: BatchSize,
    windowSeconds: MaximumBatchingWindowInSeconds,
    maxConcurrency: ScalingConfig?.MaximumConcurrency ?? queueConcurrency,
    reportsFailures: FunctionResponseTypes.length > 0,
    filter: filterOf(properties),
    retry: afterSeconds === null ? undefined : { afterSeconds, sqs: clients.sqs },
    report,
  });
}

function streamSource(cloud: CloudContext, { id, definition, properties }: Wiring & { id: string }): EventSource {
  const { region, functions, targets, roles, endpoint, dataDir, metrics, clock, activity, report } = cloud;
  const credentials = roles.credentialsOf(definition.roleArn);
  if (properties.StartingPosition === undefined)
    throw new Error(`The stream of ${definition.path} has no StartingPosition.`);
  return new StreamSource({
    streamArn: properties.EventSourceArn,
    region,
    functions,
    metrics: new FunctionMetrics(metrics),
    targets,
    definition,
    streams: new DynamoDBStreamsClient({ endpoint: endpoint.url, region, credentials }),
    writes: endpoint.writes,
    activity,
    startingPosition: properties.StartingPosition,
    batchSize: properties.BatchSize ?? 100,
    windowSeconds: properties.MaximumBatchingWindowInSeconds,
    reportsFailures: properties.FunctionResponseTypes.length > 0,
    bisects: properties.BisectBatchOnFunctionError,
    maxRetries: properties.MaximumRetryAttempts,
    maxAgeSeconds: properties.MaximumRecordAgeInSeconds,
    onFailureArn: properties.DestinationConfig?.OnFailure?.Destination,
    filter: filterOf(properties),
    checkpoints: new Checkpoints(dataDir === null ? null : join(dataDir, 'checkpoints', `${id}.json`)),
    clock,
    report,
  });
}
