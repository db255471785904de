/** The authoriser of `/manage`. It passes the caller's identity to the functions, where `managementCallerOf` refuses calls. */
import type { APIGatewaySimpleAuthorizerWithContextResult as Authorization } from 'aws-lambda';
import * as z from 'zod/mini';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import type { Identity } from '#shared/auth/management-caller';
import { knownManagementKeys } from '#shared/auth/management-key-items.dynamodb';
import { knownPeople } from '#shared/auth/person-items.dynamodb';
import { accountStatus } from '#shared/auth/tenant-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import type { HttpEvent } from '#shared/http/http-handler';
import { invocation } from '#shared/invocation';
import { callLimits } from '#shared/quotas/call-limits';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { fetchKeys } from './fetch-keys.https.ts';
import { identifyCaller } from './identify-caller.ts';
import { managementBuckets, withinRate } from './management-rate.dynamodb.ts';
import { withinRole } from './route-roles.ts';
import { signingKeys } from './signing-keys.ts';

export const Env = z.object({
  ACCOUNTS_TABLE: resource,
  KEY_SECRETS: resource,
  TOKEN_ISSUER: resource,
  /** Clients of the user pool, separated by spaces, and the console's own, whose tokens stay in the console. */
  TOKEN_AUDIENCES: resource,
  CONSOLE_CLIENT: resource,
  TOKEN_KEYS_URL: resource,
});
const env = readEnv(Env);
// The gateway waits ten seconds for an authoriser, and not for a table that hangs.
const client = dynamoDbClient({ maxAttempts: 3, requestHandler: callLimits(1_000) });
const accounts = { name: env.ACCOUNTS_TABLE, client };
const sources = {
  tokens: {
    issuer: env.TOKEN_ISSUER,
    audiences: env.TOKEN_AUDIENCES.split(' '),
    consoleAudience: env.CONSOLE_CLIENT,
    people: knownPeople(accounts),
    signingKeys: signingKeys(() => fetchKeys(env.TOKEN_KEYS_URL)),
  },
  keys: knownManagementKeys(accounts),
  keySecrets: keySecrets(env.KEY_SECRETS),
  statusOf: accountStatus(accounts),
};
const buckets = managementBuckets(accounts);

export const handler = invocation<HttpEvent, Authorization<Identity>>(async ({ headers, routeKey }) => ({
  isAuthorized: true,
  context: withinRole(await identityOf(headers['authorization'] ?? '', Date.now()), routeKey),
}));

async function identityOf(header: string, now: number): Promise<Identity> {
  try {
    return await withinRate(buckets, await identifyCaller(header, sources, now), now);
  } catch (error) {
    log.error('credential not checked', { error });
    return { unavailable: true };
  }
}
