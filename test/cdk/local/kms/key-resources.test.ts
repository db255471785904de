import { readdirSync, statSync } from 'node:fs';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { clientOptions, functionOf, importing, invoke } from '../../../support/cloud/local-cloud.ts';
import { signedPost } from '../../../support/cloud/signed-call.ts';
import { storedCloud } from '../../../support/cloud/stored-cloud.ts';

/** Calls KMS as a function's SDK would: with the credentials, region and endpoint of its environment. */
const CALLING = `
import { createHash, createHmac } from 'node:crypto';
${importing('SignatureV4', '@smithy/signature-v4')}
class Sha256 {
  constructor(secret) { this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret); }
  update(data) { this.hash.update(data); }
  async digest() { return this.hash.digest(); }
}
export const handler = async ({ operation, input }) => {
  const { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken: AWS_SESSION_TOKEN };
  const { host } = new URL(AWS_ENDPOINT_URL);
  const body = JSON.stringify({ KeyId: process.env.SECRETS_KEY, ...input });
  const request = { method: 'POST', protocol: 'http:', hostname: host, path: '/', headers: { host, 'x-amz-target': 'TrentService.' + operation }, body };
  const { headers } = await new SignatureV4({ service: 'kms', region: AWS_REGION, credentials, sha256: Sha256 }).sign(request);
  return (await fetch(AWS_ENDPOINT_URL, { method: 'POST', headers, body })).json();
};`;

const stored = storedCloud();

async function started(fill: (stack: Stack) => void): Promise<Cloud> {
  // Replicas of tables want to know their region.
  const app = (outdir: string) => {
    const made = new App({ outdir });
    fill(new Stack(made, 'test', { env: { region: 'us-east-1' } }));
    return made;
  };
  return stored.startApp(app);
}

async function call(running: Cloud, operation: string, input: object): Promise<Record<string, unknown>> {
  const response = await signedPost({
    ...clientOptions(running),
    service: 'kms',
    path: '/',
    headers: { 'x-amz-target': `TrentService.${operation}` },
    body: JSON.stringify(input),
  });
  return (await response.json()) as Record<string, unknown>;
}

const Plaintext = Buffer.from('a secret').toString('base64');

describe('a key of a template', () => {
  it('serves the functions that may use it, each for what it may', async () => {
    const running = await started((stack) => {
      const key = new Key(stack, 'Key', { description: 'secrets', enableKeyRotation: true });
      new CfnOutput(stack, 'KeyId', { value: key.keyId });
      const environment = { SECRETS_KEY: key.keyArn };
      key.grantEncrypt(functionOf(stack, 'Writer', CALLING, { environment }));
      functionOf(stack, 'Sender', CALLING, { environment }).addToRolePolicy(
        new PolicyStatement({
          actions: ['kms:Decrypt'],
          resources: [key.keyArn],
          conditions: { StringEquals: { 'kms:EncryptionContext:tenant': 'acme' } },
        }),
      );
    });
    const as = async (name: string, operation: string, input: object) =>
      (await invoke(running, running.functionName(name), { operation, input })).payload as Record<string, unknown>;
    const EncryptionContext = { tenant: 'acme' };
    const { CiphertextBlob } = await as('Writer', 'Encrypt', { Plaintext, EncryptionContext });
    expect(await as('Writer', 'Decrypt', { CiphertextBlob, EncryptionContext })).toMatchObject({
      __type: 'AccessDeniedException',
    });
    expect(await as('Sender', 'Decrypt', { CiphertextBlob, EncryptionContext })).toMatchObject({ Plaintext });
    const others = await as('Writer', 'Encrypt', { Plaintext, EncryptionContext: { tenant: 'other' } });
    const stolen = { CiphertextBlob: others['CiphertextBlob'], EncryptionContext: { tenant: 'other' } };
    expect(await as('Sender', 'Decrypt', stolen)).toMatchObject({ __type: 'AccessDeniedException' });
  });

  it('keeps its material over a restart, in a file for its owner only', async () => {
    const fill = (stack: Stack) => {
      const { attrKeyId: value } = new CfnKey(stack, 'Key');
      new CfnOutput(stack, 'KeyId', { value });
    };
    const first = await started(fill);
    const { CiphertextBlob } = await call(first, 'Encrypt', { KeyId: first.outputs['KeyId'], Plaintext });
    const [file = ''] = readdirSync(stored.pathOf('kms'));
    expect(file).toBe(`${first.outputs['KeyId']}.json`);
    expect(statSync(stored.pathOf('kms', file)).mode & 0o777).toBe(0o600);
    expect(await call(await started(fill), 'Decrypt', { CiphertextBlob })).toMatchObject({ Plaintext });
  });

  it('may be disabled', async () => {
    const running = await started((stack) => {
      const { keyId: value } = new Key(stack, 'Key', { enabled: false });
      new CfnOutput(stack, 'KeyId', { value });
    });
    expect(await call(running, 'Encrypt', { KeyId: running.outputs['KeyId'], Plaintext })).toMatchObject({
      __type: 'DisabledException',
    });
  });

  it('with an alias fails the start', async () => {
    const starting = started((stack) => new Key(stack, 'Key', { alias: 'secrets' }));
    await expect(starting).rejects.toThrow('does not have these resources: AWS::KMS::Alias');
  });

  it('of a kind that is not here fails the start', async () => {
    const fill = (stack: Stack) =>
      new Key(stack, 'Signing', { keySpec: KeySpec.RSA_2048, keyUsage: KeyUsage.SIGN_VERIFY });
    await expect(started(fill)).rejects.toThrow('the local cloud has symmetric keys only');
  });

  it('changes nothing for the buckets, tables and queues that it encrypts', async () => {
    const running = await started((stack) => {
      const encryptionKey = new Key(stack, 'Key');
      const bucket = new Bucket(stack, 'Bucket', { encryption: BucketEncryption.KMS, encryptionKey });
      const queue = new Queue(stack, 'Queue', {
        encryption: QueueEncryption.KMS,
        encryptionMasterKey: encryptionKey,
        dataKeyReuse: Duration.minutes(5),
      });
      const table = new TableV2(stack, 'Table', {
        partitionKey: { name: 'pk', type: AttributeType.STRING },
        encryption: TableEncryptionV2.customerManagedKey(encryptionKey),
      });
      const worker = functionOf(stack, 'Worker', 'export const handler = async () => {};');
      bucket.grantReadWrite(worker);
      queue.grantConsumeMessages(worker);
      table.grantReadData(worker);
      new CfnOutput(stack, 'BucketName', { value: bucket.bucketName });
      new CfnOutput(stack, 'QueueUrl', { value: queue.queueUrl });
      new CfnOutput(stack, 'TableName', { value: table.tableName });
    });
    const { BucketName, QueueUrl, TableName } = running.outputs;
    const object = { Bucket: BucketName, Key: 'k' };
    const s3 = new S3Client(clientOptions(running));
    await s3.send(new PutObjectCommand({ ...object, Body: 'object' }));
    const { Body } = await s3.send(new GetObjectCommand({ ...object }));
    expect(await Body?.transformToString()).toBe('object');
    const sqs = new SQSClient(clientOptions(running));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'message' }));
    expect((await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.[0]?.Body).toBe('message');
    const dynamodb = new DynamoDBClient(clientOptions(running));
    const Item = { pk: { S: 'item' } };
    await dynamodb.send(new PutItemCommand({ TableName, Item }));
    expect((await dynamodb.send(new GetItemCommand({ TableName, Key: Item }))).Item).toEqual(Item);
  });
});
