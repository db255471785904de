import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CfnOutput, SecretValue, type Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CfnSecret, Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { clientOptions, functionOf, importing, invoke } from '../../../support/cloud/local-cloud.ts';
import { storedCloud } from '../../../support/cloud/stored-cloud.ts';

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

const stored = storedCloud();

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
    const running = await stored.start((stack) => {
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
    const first = await stored.start(fill);
    const generated = await valueIn(first);
    expect(generated).toHaveLength(32);
    const [file = '', ...others] = readdirSync(stored.pathOf('secretsmanager'));
    expect(others).toEqual([]);
    expect(statSync(stored.pathOf('secretsmanager', file)).mode & 0o777).toBe(0o600);
    expect(await valueIn(await stored.start(fill))).toBe(generated);
  });

  it('keeps a value that was put after the template made it', async () => {
    const fill = secretOf({ secretStringValue: SecretValue.unsafePlainText('declared') });
    await put(await stored.start(fill), 'put later');
    const again = await stored.start(fill);
    expect(await valueIn(again)).toBe('put later');
    expect(await valueIn(again, 'AWSPREVIOUS')).toBe('declared');
  });

  it('gets a new version when the template declares another value', async () => {
    await stored.start(secretOf({ secretStringValue: SecretValue.unsafePlainText('one') }));
    const again = await stored.start(secretOf({ secretStringValue: SecretValue.unsafePlainText('two') }));
    expect(await valueIn(again)).toBe('two');
    expect(await valueIn(again, 'AWSPREVIOUS')).toBe('one');
  });

  it('may be an object of which one member is generated', async () => {
    const running = await stored.start(
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
    const running = await stored.start(secretOf({}), null);
    expect(await valueIn(running)).toHaveLength(32);
    expect(readdirSync(stored.pathOf())).toEqual([]);
  });

  it('stands in its file only, under no temporary name', async () => {
    const running = await stored.start(secretOf({}));
    const folder = stored.pathOf('secretsmanager');
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
    await expect(stored.start(fill)).rejects.toThrow(message);
  });
});
