import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  ListSecretsCommand,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Credentials } from '../../../../cdk/local/endpoint/endpoint.ts';
import { Secret } from '../../../../cdk/local/secretsmanager/secret.ts';
import { Secrets } from '../../../../cdk/local/secretsmanager/secrets.ts';
import { SecretsManagerService } from '../../../../cdk/local/secretsmanager/secretsmanager-service.ts';
import {
  ACCOUNT_ID,
  allowing,
  type Condition,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';
import { signedPost } from '../../../support/cloud/signed-call.ts';

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 3600 * 1000;

let endpoint: LocalEndpoint;
let secrets: Secrets;
let now = START;
let count = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  secrets = new Secrets(REGION, ACCOUNT_ID);
  endpoint.add(new SecretsManagerService({ secrets, now: () => new Date(now) }));
});
afterAll(() => endpoint.close());

interface Made {
  readonly name: string;
  readonly arn: string;
}

/** @param value null leaves the secret empty. */
function newSecret(value: string | null = 'first'): Made {
  const name = `tests/secret-${++count}`;
  const arn = secrets.arnOf(name, 'AbC123');
  const secret = new Secret({ arn, name, description: 'for a test' }, null, new Date(now));
  secret.declare({ text: name, value: () => value ?? undefined }, new Date(now));
  secrets.add(secret);
  return { name, arn };
}

const client = (credentials?: Credentials) => new SecretsManagerClient(endpoint.clientOptions(credentials));
const get = (input: GetSecretValueCommandInput, credentials?: Credentials) =>
  client(credentials).send(new GetSecretValueCommand(input));
const put = (input: PutSecretValueCommandInput, credentials?: Credentials) =>
  client(credentials).send(new PutSecretValueCommand(input));

describe('the value of a secret', () => {
  test('is found by name, by ARN and by the ARN without its suffix', async () => {
    const { name, arn } = newSecret();
    for (const SecretId of [name, arn, arn.slice(0, -7)]) {
      expect(await get({ SecretId })).toMatchObject({
        ARN: arn,
        Name: name,
        SecretString: 'first',
        VersionStages: ['AWSCURRENT'],
        CreatedDate: new Date(START),
      });
    }
  });

  test('moves to the stage AWSPREVIOUS when a new one is put', async () => {
    const { name: SecretId, arn } = newSecret();
    const first = await get({ SecretId });
    const second = await put({ SecretId, SecretString: 'second' });
    expect(second).toMatchObject({ ARN: arn, Name: SecretId, VersionStages: ['AWSCURRENT'] });
    expect(await get({ SecretId })).toMatchObject({ SecretString: 'second', VersionId: second.VersionId });
    const previous = { SecretString: 'first', VersionStages: ['AWSPREVIOUS'], VersionId: first.VersionId };
    expect(await get({ SecretId, VersionStage: 'AWSPREVIOUS' })).toMatchObject(previous);
    expect(await get({ SecretId, VersionId: first.VersionId })).toMatchObject(previous);

    await put({ SecretId, SecretString: 'third' });
    expect(await get({ SecretId, VersionStage: 'AWSPREVIOUS' })).toMatchObject({ SecretString: 'second' });
    const deprecated = await get({ SecretId, VersionId: first.VersionId });
    expect(deprecated.SecretString).toBe('first');
    expect(deprecated.VersionStages).toBeUndefined();
  });

  test('may be put under other stages, which leaves the current one alone', async () => {
    const { name: SecretId } = newSecret();
    await put({ SecretId, SecretString: 'next', VersionStages: ['AWSPENDING', 'mine'] });
    expect(await get({ SecretId })).toMatchObject({ SecretString: 'first', VersionStages: ['AWSCURRENT'] });
    expect(await get({ SecretId, VersionStage: 'mine' })).toMatchObject({
      SecretString: 'next',
      VersionStages: ['AWSPENDING', 'mine'],
    });
    await expect(get({ SecretId, VersionStage: 'AWSPREVIOUS' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret value for staging label: AWSPREVIOUS",
    });
    await put({ SecretId, SecretString: 'later', VersionStages: ['mine'] });
    expect(await get({ SecretId, VersionStage: 'AWSPENDING' })).toMatchObject({ VersionStages: ['AWSPENDING'] });
  });

  test('may be binary', async () => {
    const { name: SecretId } = newSecret(null);
    const SecretBinary = Buffer.from([0, 255, 128]);
    await put({ SecretId, SecretBinary, VersionStages: ['AWSPENDING'] });
    const secret = await get({ SecretId });
    expect(Buffer.from(secret.SecretBinary ?? []).equals(SecretBinary)).toBe(true);
    expect(secret.SecretString).toBeUndefined();
    expect(secret.VersionStages).toEqual(['AWSPENDING', 'AWSCURRENT']);
  });

  test('is put once when the same call arrives twice, and never changed by its token', async () => {
    const { name: SecretId } = newSecret();
    const ClientRequestToken = randomUUID();
    const call = { SecretId, ClientRequestToken, SecretString: 'second' };
    const first = await put(call);
    expect(first.VersionId).toBe(ClientRequestToken);
    await put({ SecretId, SecretString: 'third' });
    expect(await put(call)).toMatchObject({ VersionId: ClientRequestToken, VersionStages: ['AWSPREVIOUS'] });
    expect(await get({ SecretId })).toMatchObject({ SecretString: 'third' });
    await expect(put({ ...call, SecretString: 'changed' })).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  test('is missing from a secret that never got one', async () => {
    const { name: SecretId } = newSecret(null);
    await expect(get({ SecretId })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
    });
  });

  test('has at most 100 versions, of which AWS forgets old ones without a stage', async () => {
    const { name: SecretId } = newSecret();
    const { VersionId: first } = await get({ SecretId });
    for (let version = 2; version <= 100; version++) await put({ SecretId, SecretString: `v${version}` });
    await expect(put({ SecretId, SecretString: 'more' })).rejects.toMatchObject({ name: 'LimitExceededException' });
    now += 2 * DAY_MS;
    await put({ SecretId, SecretString: 'tomorrow' });
    expect(await get({ SecretId })).toMatchObject({ SecretString: 'tomorrow' });
    expect(await get({ SecretId, VersionStage: 'AWSPREVIOUS' })).toMatchObject({ SecretString: 'v100' });
    await expect(get({ SecretId, VersionId: first })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    now = START;
  });
});

describe('a description', () => {
  test('shows the versions that have a stage, and no value', async () => {
    const { name: SecretId, arn } = newSecret();
    const { VersionId: first = '' } = await get({ SecretId });
    now += DAY_MS;
    const { VersionId: second = '' } = await put({ SecretId, SecretString: 'second' });
    const { $metadata: _, ...described } = await client().send(new DescribeSecretCommand({ SecretId }));
    expect(described).toEqual({
      ARN: arn,
      Name: SecretId,
      Description: 'for a test',
      CreatedDate: new Date(START),
      LastChangedDate: new Date(START + DAY_MS),
      VersionIdsToStages: { [first]: ['AWSPREVIOUS'], [second]: ['AWSCURRENT'] },
    });
    now = START;
  });
});

describe('a call is refused', () => {
  test('when it is malformed', async () => {
    const { name: SecretId } = newSecret();
    const refusals = [
      [get({ SecretId: 'not a name' }), 'ValidationException'],
      [get({ SecretId: 'missing' }), 'ResourceNotFoundException'],
      [get({ SecretId, VersionId: randomUUID() }), 'ResourceNotFoundException'],
      [put({ SecretId }), 'InvalidRequestException'],
      [put({ SecretId, SecretString: 'a', SecretBinary: Buffer.from('a') }), 'InvalidParameterException'],
      [put({ SecretId, SecretString: 'a', ClientRequestToken: 'short' }), 'ValidationException'],
      [put({ SecretId, SecretString: 'é'.repeat(32_769) }), 'ValidationException'],
      [client().send(new ListSecretsCommand()), 'UnknownOperationException'],
    ] as const;
    for (const [call, name] of refusals) await expect(call).rejects.toMatchObject({ name });
    const { VersionId } = await get({ SecretId });
    await expect(get({ SecretId, VersionId, VersionStage: 'AWSPREVIOUS' })).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'You provided a VersionStage that is not associated to the provided VersionId.',
    });
    expect((await put({ SecretId, SecretString: 'é'.repeat(32_768) })).VersionId).toBeDefined();
  });

  test('when nobody signed it, in the format of the service', async () => {
    const headers = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
    const response = await fetch(endpoint.url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.1');
  });

  test('when it puts a value without a token, which SDKs always send', async () => {
    const { name: SecretId } = newSecret();
    const response = await signedPost({
      ...endpoint.clientOptions(),
      service: 'secretsmanager',
      path: '/',
      headers: { 'x-amz-target': 'secretsmanager.PutSecretValue' },
      body: JSON.stringify({ SecretId, SecretString: 'second' }),
    });
    expect(await response.json()).toMatchObject({ __type: 'InvalidRequestException' });
  });
});

describe('a role', () => {
  const may = (action: string, resource: string, condition?: Condition) =>
    endpoint.role(`may${++count}`, allowing(`secretsmanager:${action}`, resource, condition));
  const denied = { name: 'AccessDeniedException' };

  test('reads the secrets that it may read, however it names them, and changes none', async () => {
    const { name, arn } = newSecret();
    const reader = may('GetSecretValue', arn);
    for (const SecretId of [name, arn])
      expect(await get({ SecretId }, reader)).toMatchObject({ SecretString: 'first' });
    await expect(put({ SecretId: arn, SecretString: 'x' }, reader)).rejects.toMatchObject(denied);
    await expect(get({ SecretId: newSecret().name }, reader)).rejects.toMatchObject(denied);
    // The ARN of CDK's imported secrets ends in wildcards instead of the suffix.
    const byPattern = may('GetSecretValue', `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-??????`);
    expect(await get({ SecretId: name }, byPattern)).toMatchObject({ SecretString: 'first' });
  });

  test('does not learn whether a secret exists that it may not read', async () => {
    const { arn } = newSecret();
    const reader = may('GetSecretValue', arn);
    await expect(get({ SecretId: 'missing' }, reader)).rejects.toMatchObject(denied);
    await expect(get({ SecretId: `${arn}x` }, reader)).rejects.toMatchObject(denied);
    await expect(get({ SecretId: 'missing' }, may('*', '*'))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('may be held to a stage, which its calls then name', async () => {
    const { name: SecretId, arn } = newSecret();
    const condition = { 'ForAnyValue:StringEquals': { 'secretsmanager:VersionStage': ['AWSCURRENT'] } };
    const held = may('GetSecretValue', arn, condition);
    expect(await get({ SecretId, VersionStage: 'AWSCURRENT' }, held)).toMatchObject({ SecretString: 'first' });
    await expect(get({ SecretId }, held)).rejects.toMatchObject(denied);
    await expect(get({ SecretId, VersionStage: 'AWSPREVIOUS' }, held)).rejects.toMatchObject(denied);
  });
});
