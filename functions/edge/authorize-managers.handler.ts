/** The authoriser in front of all routes of `/manage`: tells the functions behind it who calls. */
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult as Authorization,
} from 'aws-lambda';
import * as z from 'zod/mini';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import type { Identity } from '#shared/auth/management-caller';
import { knownManagementKeys } from '#shared/auth/management-key-items.dynamodb';
import { readStatus } from '#shared/auth/tenant-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { invocation } from '#shared/invocation';
import { callLimits } from '#shared/quotas/call-limits';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { fetchKeys } from './fetch-keys.https.ts';
import { identifyCaller } from './identify-caller.ts';
import { signingKeys } from './signing-keys.ts';

export const Env = z.object({
  ACCOUNTS_TABLE: resource,
  KEY_SECRETS: resource,
  TOKEN_ISSUER: resource,
  /** Clients of the user pool, with blanks between them. */
  TOKEN_AUDIENCES: resource,
  /** The one of the console, whose tokens stay in the console. */
  CONSOLE_CLIENT: resource,
  TOKEN_KEYS_URL: resource,
});
const env = readEnv(Env);
// The gateway waits ten seconds for an authoriser, and not for a table that hangs.
const accounts = {
  name: env.ACCOUNTS_TABLE,
  client: dynamoDbClient({ maxAttempts: 3, requestHandler: callLimits(1_000) }),
};
const sources = {
  tokens: {
    issuer: env.TOKEN_ISSUER,
    audiences: env.TOKEN_AUDIENCES.split(' '),
    consoleAudience: env.CONSOLE_CLIENT,
    signingKeys: signingKeys(() => fetchKeys(env.TOKEN_KEYS_URL)),
  },
  keys: knownManagementKeys(accounts),
  keySecrets: keySecrets(env.KEY_SECRETS),
  statusOf: (tenant: string) => readStatus(accounts, tenant),
};

/** Always authorised: `managementCallerOf` refuses by the identity, in the words of the interface. */
export const handler = invocation<APIGatewayRequestAuthorizerEventV2, Authorization<Identity>>(async (event) => ({
  isAuthorized: true,
  context: await identityOf(event.identitySource?.[0] ?? ''),
}));

function identityOf(header: string): Promise<Identity> {
  return identifyCaller(header, sources, Date.now()).catch((error: unknown) => {
    log.error('credential not checked', { error });
    return { unavailable: true };
  });
}
