import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type CredentialList, issuedKeys } from '#shared/auth/issued-keys.dynamodb';
import {
  type IssuedWith,
  KeySecretsText,
  needsOf,
  type StoredSecrets,
  withNewVersion,
  withoutVersion,
} from '#shared/auth/key-rotation';
import { MANAGEMENT_KEYS } from '#shared/auth/management-key';
import type { KeySecrets } from '#shared/auth/self-proving-key';
import type { Deployment } from '#shared/command/deployment.cloudformation';
import { ANONYMOUS_TOKEN_SECONDS } from '#shared/loyalty/anonymous-token';
import type { Table } from '#shared/table/table.dynamodb';
import { TOKEN_SECONDS } from '../billing/credentials/access-token.ts';
import { CREDENTIALS } from '../table-keys.ts';

/** The purposes that have a secret of their own, by its output. */
const SECRETS = {
  management: 'ManagementKeySecrets',
  conversions: 'ConversionKeySecrets',
  anonymous: 'AnonymousTokenSecrets',
} as const;
export type Purpose = keyof typeof SECRETS;
export const PURPOSES = Object.keys(SECRETS) as readonly Purpose[];

/** The versions of the secrets of a deployment: those that make and prove keys and tokens. */
export function keyVersions(deployment: Deployment) {
  const secretsManager = new SecretsManagerClient(deployment.client);
  const dynamoDb = new DynamoDBClient(deployment.client);
  const tableOf = (name: string): Table => ({ name: deployment.output(name), client: dynamoDb });
  const secretId = (purpose: Purpose) => deployment.output(SECRETS[purpose]);

  async function stored(purpose: Purpose): Promise<StoredSecrets> {
    const { SecretString: text, CreatedDate: changed } = await secretsManager.send(
      new GetSecretValueCommand({ SecretId: secretId(purpose) }),
    );
    return { secrets: KeySecretsText.parse(text), changedAt: changed?.getTime() ?? 0 };
  }

  const store = (purpose: Purpose, secrets: KeySecrets) =>
    secretsManager.send(
      new PutSecretValueCommand({
        SecretId: secretId(purpose),
        SecretString: JSON.stringify(secrets),
      }),
    );

  async function issued(purpose: Purpose, now: number): Promise<IssuedWith> {
    if (purpose === 'anonymous') return { keys: [], tokenSeconds: ANONYMOUS_TOKEN_SECONDS };
    const lists = purpose === 'management' ? managementKeys(tableOf) : conversionCredentials(tableOf);
    const keys = await issuedKeys(tableOf('AccountsTable'), lists, now);
    return { keys, ...(purpose === 'conversions' && { tokenSeconds: TOKEN_SECONDS }) };
  }

  return {
    /** The purposes of the domains that the stage has. */
    purposes: PURPOSES.filter((purpose) => deployment.namesAfter(SECRETS[purpose]).length > 0),

    async needs(purpose: Purpose, version: string, now: number): Promise<string[]> {
      return needsOf(version, { stored: await stored(purpose), issued: await issued(purpose, now), now });
    },

    /** Adds a version and returns its name. */
    async add(purpose: Purpose): Promise<string> {
      const { version, secrets } = withNewVersion(
        (await stored(purpose)).secrets,
        randomBytes(48).toString('base64url'),
      );
      await store(purpose, secrets);
      return version;
    },

    /** Takes a version out. Refused while anything needs it. */
    async takeOut(purpose: Purpose, version: string, now: number): Promise<void> {
      const before = await stored(purpose);
      const needs = needsOf(version, { stored: before, issued: await issued(purpose, now), now });
      await store(purpose, withoutVersion(before.secrets, version, needs));
    },
  };
}

const managementKeys = (tableOf: (output: string) => Table): CredentialList[] => [
  { what: 'management key', table: tableOf('AccountsTable'), listOf: (tenant) => `${MANAGEMENT_KEYS}${tenant}` },
];

const conversionCredentials = (tableOf: (output: string) => Table): CredentialList[] =>
  (['key', 'client'] as const).map((kind) => ({
    what: kind === 'key' ? 'conversion key' : 'OAuth client',
    table: tableOf('ConversionsTable'),
    listOf: (tenant) => `${CREDENTIALS}${tenant}#${kind}`,
  }));
