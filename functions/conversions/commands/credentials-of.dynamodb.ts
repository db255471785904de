import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import type { KeySecrets } from '#shared/auth/self-proving-key';
import type { Deployment } from '#shared/command/deployment.cloudformation';
import type { Credentials } from '../billing/credentials/credential.ts';
import { credentialStore } from '../billing/credentials/credential-store.dynamodb.ts';
import { provisionedAccount, type Tables } from '../billing/plans/provisioned-account.dynamodb.ts';

/** The parts that a command needs to create keys of a tenant. It uses the AWS credentials of whoever runs it. */
export async function credentialsOf(
  deployment: Deployment,
  tenant: string,
  now: number,
): Promise<{ readonly credentials: Credentials; readonly secrets: KeySecrets }> {
  const tables = tablesOf(deployment);
  await provisionedAccount(tables, tenant, now);
  const secretsAt = keySecrets(deployment.output('ConversionKeySecrets'), new SecretsManagerClient(deployment.client));
  return { credentials: credentialStore(tables.conversions), secrets: await secretsAt.issuing(now) };
}

export function tablesOf(deployment: Deployment): Tables {
  const client = new DynamoDBClient(deployment.client);
  return {
    accounts: { name: deployment.output('AccountsTable'), client },
    conversions: { name: deployment.output('ConversionsTable'), client },
  };
}
