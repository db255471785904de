import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Bucket, type BucketProps, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import { Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, clientOptions, functionOf, invoke, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { storedCloud } from '../../../support/cloud/stored-cloud.ts';

interface Changes {
  readonly table?: Partial<TablePropsV2>;
  readonly bucket?: BucketProps;
  readonly queue?: QueueProps;
}

const stored = storedCloud();

async function restarted({ table, bucket, queue }: Changes = {}): Promise<Cloud> {
  const fill = (stack: Stack) => {
    const partitionKey = { name: 'pk', type: AttributeType.STRING };
    const { tableName } = new TableV2(stack, 'Table', { partitionKey, ...table });
    const { bucketName } = new Bucket(stack, 'Bucket', bucket);
    const { queueUrl } = new Queue(stack, 'Queue', queue);
    functionOf(stack, 'Keys', 'export const handler = async () => process.env.AWS_ACCESS_KEY_ID;');
    for (const [name, value] of Object.entries({ Table: tableName, Bucket: bucketName, Queue: queueUrl })) {
      new CfnOutput(stack, `${name}Name`, { value });
    }
  };
  return stored.start(fill);
}

const nameIn = ({ outputs }: Cloud, what: string) => outputs[`${what}Name`] ?? '';

describe('after a restart', () => {
  it('items, objects, messages and the keys of functions are still there', async () => {
    const first = await restarted();
    const key = { pk: { S: 'kept' } };
    const TableName = nameIn(first, 'Table');
    const object = { Bucket: nameIn(first, 'Bucket'), Key: 'kept' };
    await new DynamoDBClient(clientOptions(first)).send(new PutItemCommand({ TableName, Item: key }));
    await new S3Client(clientOptions(first)).send(new PutObjectCommand({ ...object, Body: 'body' }));
    const message = { QueueUrl: nameIn(first, 'Queue'), MessageBody: 'kept' };
    await new SQSClient(clientOptions(first)).send(new SendMessageCommand(message));
    const { payload: accessKey } = await invoke(first, first.functionName('Keys'), {});

    const second = await restarted();
    const item = await new DynamoDBClient(clientOptions(second)).send(new GetItemCommand({ TableName, Key: key }));
    expect(item.Item).toEqual(key);
    const { Body } = await new S3Client(clientOptions(second)).send(new GetObjectCommand(object));
    expect(await Body?.transformToString()).toBe('body');
    const sqs = new SQSClient(clientOptions(second));
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: nameIn(second, 'Queue') }));
    expect(Messages).toMatchObject([{ Body: 'kept' }]);
    expect((await invoke(second, second.functionName('Keys'), {})).payload).toBe(accessKey);
  });

  it('the time to live, stream and indexes of a table are as the template has them now', async () => {
    const byOther = {
      indexName: 'ByOther',
      partitionKey: { name: 'other', type: AttributeType.STRING },
    };
    const first = await restarted({ table: { timeToLiveAttribute: 'before' } });
    const table = { TableName: nameIn(first, 'Table') };
    const second = await restarted({
      table: {
        timeToLiveAttribute: 'after',
        dynamoStream: StreamViewType.NEW_IMAGE,
        globalSecondaryIndexes: [byOther],
      },
    });
    const dynamodb = new DynamoDBClient(clientOptions(second));
    const { TimeToLiveDescription } = await dynamodb.send(new DescribeTimeToLiveCommand(table));
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'after', TimeToLiveStatus: 'ENABLED' });
    expect((await dynamodb.send(new DescribeTableCommand(table))).Table).toMatchObject({
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      GlobalSecondaryIndexes: [{ IndexName: 'ByOther' }],
    });

    const third = new DynamoDBClient(clientOptions(await restarted()));
    const { Table } = await third.send(new DescribeTableCommand(table));
    expect(Table?.GlobalSecondaryIndexes ?? []).toEqual([]);
    expect(Table?.StreamSpecification?.StreamEnabled ?? false).toBe(false);
  });

  it('the lifecycle of a bucket is as the template has it now', async () => {
    const isThereAfterDays = async (days: number, lifecycleRules: LifecycleRule[] = []) => {
      const cloud = await restarted({ bucket: { lifecycleRules } });
      const s3 = new S3Client(clientOptions(cloud));
      const object = { Bucket: nameIn(cloud, 'Bucket'), Key: 'a/b' };
      await s3.send(new PutObjectCommand({ ...object, Body: 'body' }));
      cloud.clock.advance(Duration.days(days).toMilliseconds());
      await cloud.sweep();
      const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: object.Bucket }));
      return KeyCount === 1;
    };
    expect(await isThereAfterDays(2, [{ expiration: Duration.days(1) }])).toBe(false);
    expect(await isThereAfterDays(2, [{ prefix: 'a/', expiration: Duration.days(7) }])).toBe(true);
    expect(await isThereAfterDays(8, [{ prefix: 'a/', expiration: Duration.days(7) }])).toBe(false);
    expect(await isThereAfterDays(8)).toBe(true);
  });

  it('the settings of a queue are as the template has them now', async () => {
    await restarted();
    const second = await restarted({ queue: { visibilityTimeout: Duration.seconds(77) } });
    const { Attributes } = await new SQSClient(clientOptions(second)).send(
      new GetQueueAttributesCommand({ QueueUrl: nameIn(second, 'Queue'), AttributeNames: ['VisibilityTimeout'] }),
    );
    expect(Attributes).toEqual({ VisibilityTimeout: '77' });
  });

  it('a table whose keys have changed is refused, with what to do', async () => {
    await restarted();
    const change = restarted({ table: { sortKey: { name: 'sk', type: AttributeType.NUMBER } } });
    await expect(change).rejects.toThrow(
      /The keys of the table \S+ have changed\. Remove the data folder to start with empty tables\./,
    );
  });
});

describe('a data folder', () => {
  it('is not shared by two clouds', async () => {
    await restarted();
    await expect(
      startLocalCloud({ app: appOf((stack) => void new Queue(stack, 'Queue')), dataDir: stored.pathOf() }),
    ).rejects.toThrow('is in use by');
  });
});
