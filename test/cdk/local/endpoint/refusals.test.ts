import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetObjectCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AwsService } from '../../../../cdk/local/endpoint/aws-service.ts';
import { jsonError } from '../../../../cdk/local/endpoint/json-protocol.ts';
import { ACCOUNT_ID, allowing, type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';

let endpoint: LocalEndpoint;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

const stranger = { accessKeyId: 'STRANGER', secretAccessKey: 'guess' };
const guesser = { accessKeyId: 'local', secretAccessKey: 'guess' };

describe('every service refuses in its own words', () => {
  test('an unknown access key', async () => {
    await expect(new S3Client(endpoint.clientOptions(stranger)).send(new ListBucketsCommand())).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    });
    await expect(
      new DynamoDBClient(endpoint.clientOptions(stranger)).send(new ListTablesCommand()),
    ).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    await expect(new SQSClient(endpoint.clientOptions(stranger)).send(new ListQueuesCommand())).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    });
    await expect(
      new STSClient(endpoint.clientOptions(stranger)).send(new GetCallerIdentityCommand()),
    ).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  });

  test('a wrong secret', async () => {
    await expect(new S3Client(endpoint.clientOptions(guesser)).send(new ListBucketsCommand())).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    await expect(
      new DynamoDBClient(endpoint.clientOptions(guesser)).send(new ListTablesCommand()),
    ).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    await expect(new SQSClient(endpoint.clientOptions(guesser)).send(new ListQueuesCommand())).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
  });

  test('a role without permission', async () => {
    const nobody = endpoint.clientOptions(endpoint.role('nobody'));
    await expect(new S3Client(nobody).send(new ListBucketsCommand())).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(new DynamoDBClient(nobody).send(new ListTablesCommand())).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    await expect(new SQSClient(nobody).send(new ListQueuesCommand())).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('no signature at all', async () => {
    const unsigned = await fetch(`${endpoint.url}/bucket/key`);
    expect(unsigned.status).toBe(403);
    expect(await unsigned.text()).toContain('<Code>AccessDenied</Code>');
    const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables' };
    const call = await fetch(endpoint.url, { method: 'POST', headers, body: '{}' });
    expect(await call.json()).toMatchObject({ message: 'Request is missing Authentication Token' });
  });

  test('an outdated signature', async () => {
    const old = await fetch(`${endpoint.url}/bucket/key?AWSAccessKeyId=local&Signature=abc&Expires=1795235081`);
    expect(await old.text()).toContain('signature version 2 is not accepted');
  });

  test('a service that does not exist', async () => {
    await expect(
      new EventBridgeClient(endpoint.clientOptions()).send(new PutEventsCommand({ Entries: [] })),
    ).rejects.toMatchObject({
      message: 'The local cloud has no service "events".',
    });
  });

  test('another region', async () => {
    const elsewhere = new S3Client({ ...endpoint.clientOptions(), region: 'eu-west-1', followRegionRedirects: false });
    await expect(elsewhere.send(new ListBucketsCommand())).rejects.toMatchObject({
      name: 'AuthorizationHeaderMalformed',
    });
  });
});

describe('a presigned URL', () => {
  test('ends with its time, by the clock of the endpoint', async () => {
    const own = await startLocalEndpoint();
    const url = await getSignedUrl(
      new S3Client(own.clientOptions()),
      new GetObjectCommand({ Bucket: 'bucket', Key: 'key' }),
      { expiresIn: 60 },
    );
    expect(await (await fetch(url)).text()).toContain('NoSuchBucket');
    own.advance(61_000);
    const late = await fetch(url);
    expect(late.status).toBe(403);
    expect(await late.text()).toContain('<Message>Request has expired</Message>');
    await own.close();
  });

  test('with an Authorization header besides is refused', async () => {
    const url = await getSignedUrl(
      new S3Client(endpoint.clientOptions()),
      new GetObjectCommand({ Bucket: 'bucket', Key: 'key' }),
    );
    const response = await fetch(url, { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=local' } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Only one auth mechanism allowed');
  });

  test('for another method is refused', async () => {
    const url = await getSignedUrl(
      new S3Client(endpoint.clientOptions()),
      new GetObjectCommand({ Bucket: 'bucket', Key: 'key' }),
    );
    const response = await fetch(url, { method: 'DELETE' });
    expect(await response.text()).toContain('SignatureDoesNotMatch');
  });
});

describe('identities', () => {
  test('are asked for under their own name', async () => {
    const role = endpoint.clientOptions(endpoint.role('asker'));
    expect(await new STSClient(role).send(new GetCallerIdentityCommand())).toMatchObject({
      Account: ACCOUNT_ID,
      Arn: `arn:aws:iam::${ACCOUNT_ID}:role/asker`,
    });
    expect(await new STSClient(endpoint.clientOptions()).send(new GetCallerIdentityCommand())).toMatchObject({
      Arn: `arn:aws:iam::${ACCOUNT_ID}:root`,
    });
  });

  test('are replaced together with their policies', async () => {
    const table = { TableName: 'missing-table', Key: { pk: { S: 'x' } } };
    const allowed = endpoint.role('replaced', allowing('dynamodb:*', '*'));
    await expect(
      new DynamoDBClient(endpoint.clientOptions(allowed)).send(new GetItemCommand(table)),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    const again = endpoint.role('replaced');
    await expect(
      new DynamoDBClient(endpoint.clientOptions(again)).send(new GetItemCommand(table)),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  test('need their session token', async () => {
    const { sessionToken: _left, ...withoutToken } = endpoint.role('tokenless', allowing('*', '*'));
    await expect(
      new S3Client(endpoint.clientOptions(withoutToken)).send(new ListBucketsCommand()),
    ).rejects.toMatchObject({ name: 'InvalidToken' });
  });

  test('cannot become others', async () => {
    const sts = new STSClient(endpoint.clientOptions());
    await expect(
      sts.send(new AssumeRoleCommand({ RoleArn: 'arn:aws:iam::0:role/r', RoleSessionName: 'me' })),
    ).rejects.toMatchObject({ name: 'NotImplemented' });
  });
});

describe('a service that is added', () => {
  test('gets only calls that are signed and allowed', async () => {
    const seen: string[] = [];
    const bus: AwsService = {
      signingName: 'events',
      permissionsOf: () => [
        { action: 'events:PutEvents', resource: 'arn:aws:events:us-east-1:000000000000:event-bus/main' },
      ],
      async handle({ principal, body }) {
        seen.push(`${principal.arn} ${body.toString()}`);
        return {
          status: 200,
          headers: { 'content-type': 'application/x-amz-json-1.1' },
          body: '{"FailedEntryCount":0,"Entries":[]}',
        };
      },
      error: (status, code, message) => jsonError({ status, code, message, version: '1.1' }),
    };
    const own = await startLocalEndpoint();
    own.add(bus);
    const put = (credentials = own.root) =>
      new EventBridgeClient(own.clientOptions(credentials)).send(new PutEventsCommand({ Entries: [{ Source: 'a' }] }));
    await put(own.role('announcer', allowing('events:PutEvents', 'arn:aws:events:*:*:event-bus/main')));
    expect(seen).toEqual([`arn:aws:iam::${ACCOUNT_ID}:role/announcer {"Entries":[{"Source":"a"}]}`]);
    await expect(
      put(own.role('listener', allowing('events:PutEvents', 'arn:aws:events:*:*:event-bus/other'))),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(put(guesser)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    expect(seen).toHaveLength(1);
    await own.close();
  });

  test('gets unsigned calls only where it calls them public', async () => {
    const seen: string[] = [];
    const pools: AwsService = {
      signingName: 'cognito-idp',
      permissionsOf: () => [{ action: 'cognito-idp:ListUserPools', resource: '*' }],
      isPublic: ({ method, path, headers }) =>
        headers['x-amz-target'] === 'Pools.SignIn' || (method === 'GET' && path === '/keys'),
      async handle({ principal, path, query, body }) {
        seen.push([principal.arn, path, query, body].join(' '));
        return { status: 200, headers: {}, body: 'served' };
      },
      error: (status, code, message) => jsonError({ status, code, message, version: '1.1' }),
    };
    const own = await startLocalEndpoint();
    own.add(pools);
    const call = async (path: string, options: RequestInit = {}) => {
      const response = await fetch(own.url + path, options);
      return { status: response.status, text: await response.text() };
    };
    const targeting = (target: string, more: Record<string, string> = {}) => ({
      method: 'POST',
      headers: { 'x-amz-target': target, ...more },
      body: '{}',
    });
    expect(await call('/', targeting('Pools.SignIn'))).toEqual({ status: 200, text: 'served' });
    expect(await call('/keys?x=1')).toEqual({ status: 200, text: 'served' });
    const served = ['anonymous /  {}', 'anonymous /keys x=1 '];
    expect(seen).toEqual(served);

    const unsigned = { status: 403, text: expect.stringContaining('Request is missing Authentication Token') };
    expect(await call('/', targeting('Pools.List'))).toMatchObject(unsigned);
    expect(await call('/keys', { method: 'PUT', body: 'mine' })).toMatchObject(unsigned);
    expect(await call('/keys/deeper')).toMatchObject(unsigned);
    // Whoever tries to sign is held to it.
    const scope = 'local/20260301/us-east-1/cognito-idp/aws4_request';
    const forged = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
    const date = { authorization: forged, 'x-amz-date': '20260301T000000Z' };
    expect(await call('/', targeting('Pools.SignIn', date))).toMatchObject({ status: 403 });
    expect(await call('/keys?X-Amz-Signature=0')).toMatchObject({ status: 400 });
    expect(await call('/keys?AWSAccessKeyId=local&Signature=0')).toMatchObject({ status: 400 });
    expect(seen).toEqual(served);
    await own.close();
  });
});
