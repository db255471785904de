import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CfnOutput, SecretValue, type Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CfnSecret, Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import {
  appOf,
  clientOptions,
  functionOf,
  importing,
  invoke,
  startLocalCloud,
} from '../../../support/cloud/local-cloud.ts';

const READING = `
${importing('SecretsManagerClient, GetSecretValueCommand', '@aws-sdk/client-secrets-manager')}
const client = new SecretsManagerClient({});
export const handler = async () => {
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: process.env.SECRET }))).SecretString;
  } catch (error) {
    return error.name;
  }
};`;

let dataDir: string;
let cloud: Cloud | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
});
afterEach(async () => {
  await cloud?.close();
  cloud = undefined;
  rmSync(dataDir, { recursive: true });
});

async function started(fill: (stack: Stack) => void, folder: string | null = dataDir): Promise<Cloud> {
  await cloud?.close();
  cloud = undefined;
  cloud = await startLocalCloud({ app: appOf(fill), dataDir: folder });
  return cloud;
}

const secretOf = (props: SecretProps) => (stack: Stack) => {
  const { secretArn: value } = new Secret(stack, 'Secret', props);
  new CfnOutput(stack, 'SecretArn', { value });
};

async function valueIn(running: Cloud, VersionStage = 'AWSCURRENT'): Promise<string | undefined> {
  const client = new SecretsManagerClient(clientOptions(running));
  const SecretId = running.outputs['SecretArn'];
  return (await client.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString;
}

async function put(running: Cloud, SecretString: string): Promise<void> {
  const client = new SecretsManagerClient(clientOptions(running));
  await client.send(new PutSecretValueCommand({ SecretId: running.outputs['SecretArn'], SecretString }));
}

describe('a secret of a template', () => {
  it('serves the functions that may read it and no others', async () => {
    const running = await started((stack) => {
      const secret = new Secret(stack, 'Secret', { generateSecretString: { passwordLength: 20 } });
      const environment = { SECRET: secret.secretArn };
      secret.grantRead(functionOf(stack, 'Reader', READING, { environment }));
      functionOf(stack, 'Stranger', READING, { environment });
      new CfnOutput(stack, 'SecretArn', { value: secret.secretArn });
    });
    expect(running.outputs['SecretArn']).toMatch(
      /^arn:aws:secretsmanager:us-east-1:000000000000:secret:test-Secret[0-9A-F]+-[a-z0-9]{8}-[a-zA-Z0-9]{6}$/,
    );
    const read = await invoke(running, running.functionName('Reader'), {});
    expect(read.payload).toHaveLength(20);
    expect(read.payload).toBe(await valueIn(running));
    expect((await invoke(running, running.functionName('Stranger'), {})).payload).toBe('AccessDeniedException');
  });

  it('is generated once and kept over a restart, in a file for its owner only', async () => {
    const fill = secretOf({ secretName: 'demo/signing' });
    const first = await started(fill);
    const generated = await valueIn(first);
    expect(generated).toHaveLength(32);
    const [file = '', ...others] = readdirSync(join(dataDir, 'secretsmanager'));
    expect(others).toEqual([]);
    expect(statSync(join(dataDir, 'secretsmanager', file)).mode & 0o777).toBe(0o600);
    expect(await valueIn(await started(fill))).toBe(generated);
  });

  it('keeps a value that was put after the template made it', async () => {
    const fill = secretOf({ secretStringValue: SecretValue.unsafePlainText('declared') });
    await put(await started(fill), 'put later');
    const again = await started(fill);
    expect(await valueIn(again)).toBe('put later');
    expect(await valueIn(again, 'AWSPREVIOUS')).toBe('declared');
  });

  it('gets a new version when the template declares another value', async () => {
    await started(secretOf({ secretStringValue: SecretValue.unsafePlainText('one') }));
    const again = await started(secretOf({ secretStringValue: SecretValue.unsafePlainText('two') }));
    expect(await valueIn(again)).toBe('two');
    expect(await valueIn(again, 'AWSPREVIOUS')).toBe('one');
  });

  it('may be an object of which one member is generated', async () => {
    const running = await started(
      secretOf({
        generateSecretString: {
          secretStringTemplate: JSON.stringify({ username: 'admin' }),
          generateStringKey: 'password',
          excludePunctuation: true,
          excludeCharacters: 'abc',
          passwordLength: 40,
        },
      }),
    );
    const { username, password } = JSON.parse((await valueIn(running)) ?? '') as Record<string, string>;
    expect(username).toBe('admin');
    expect(password).toMatch(/^[d-zA-Z0-9]{40}$/);
  });

  it('leaves nothing on disk when nothing is kept', async () => {
    const running = await started(secretOf({}), null);
    expect(await valueIn(running)).toHaveLength(32);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('stands in its file only, under no temporary name', async () => {
    const running = await started(secretOf({}));
    const folder = join(dataDir, 'secretsmanager');
    await put(running, 'changed');
    expect(readdirSync(folder)).toHaveLength(1);
    const [file = ''] = readdirSync(folder);
    expect(existsSync(join(folder, `${file}.new`))).toBe(false);
    expect(readFileSync(join(folder, file), 'utf8')).toContain('changed');
  });

  it.each<[string, (stack: Stack) => void, string]>([
    ['with a key of its own', (stack) => secretOf({ encryptionKey: new Key(stack, 'Key') })(stack), 'KmsKeyId'],
    [
      'with two values',
      (stack) => new CfnSecret(stack, 'Secret', { secretString: 'a', generateSecretString: {} }),
      'either SecretString or GenerateSecretString',
    ],
    [
      'with a template without a key',
      (stack) => new CfnSecret(stack, 'Secret', { generateSecretString: { secretStringTemplate: '{}' } }),
      'need each other',
    ],
    [
      'with a password too short for its kinds',
      (stack) => new CfnSecret(stack, 'Secret', { generateSecretString: { passwordLength: 3 } }),
      'A password of 3 cannot hold',
    ],
  ])('%s fails the start', async (_, fill, message) => {
    await expect(started(fill)).rejects.toThrow(message);
  });
});
