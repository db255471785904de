import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { GIVEN_UP } from '../../../functions/edge/system/system-parts.ts';
import { EncryptedQueue, grantDataKey, KEY_ACTIONS } from '../data-key.ts';
import type { ServiceFunction } from './service-function.ts';

export interface TableStreamProps {
  readonly table: ITable;
  readonly reader: ServiceFunction;
  /** Records that match none of these are not delivered. */
  readonly filters: readonly Record<string, unknown>[];
  /**
   * True if only the stream announces these changes: then it is read from its beginning, and records are retried for
   * most of the day that a stream keeps them. @default false: after ten minutes a record is dropped and found by other
   * means
   */
  readonly isOnlyWitness?: boolean;
}

/** The most that Lambda takes. The age of records ends the tries before. */
const TRIES_MAX = 10_000;

/**
 * Delivers the changes of a table to a function, in order and at least once. Records that keep failing are given up,
 * with an alarm, so that one bad record does not hold up the rest for good.
 */
export class TableStream extends Construct {
  /** Holds the records that were given up. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { table, reader, filters, isOnlyWitness = false }: TableStreamProps) {
    super(scope, id);
    const streamArn = table.tableStreamArn;
    if (streamArn === undefined) throw new Error(`${table.node.path} has no stream.`);
    this.deadLetters = new EncryptedQueue(this, 'GivenUp', { retentionPeriod: Duration.days(14) });
    grantDataKey(this, reader, 'sqs', KEY_ACTIONS.sends);
    const givenUp: typeof GIVEN_UP = 'GivenUp';
    new CfnOutput(Stack.of(this), `${givenUp}${id}`, { value: this.deadLetters.queueUrl });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SQS3',
      reason: 'It holds the records that were given up: a dead-letter queue in all but the way it is declared.',
    });
    Grant.addToPrincipal({
      grantee: reader,
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resourceArns: [streamArn],
    });
    // Lambda requires it to make the mapping, although the mapping names the stream.
    Grant.addToPrincipal({ grantee: reader, actions: ['dynamodb:ListStreams'], resourceArns: [streamArn] });
    new EventSourceMapping(this, 'Mapping', {
      target: reader.entry,
      eventSourceArn: streamArn,
      startingPosition: isOnlyWitness ? StartingPosition.TRIM_HORIZON : StartingPosition.LATEST,
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: isOnlyWitness ? TRIES_MAX : 20,
      maxRecordAge: isOnlyWitness ? Duration.hours(20) : Duration.minutes(10),
      onFailure: new SqsDlq(this.deadLetters),
      filters: filters.map((filter) => FilterCriteria.filter(filter)),
    });
  }
}
