/** The administration screens. They call the management API with the person's own token. */
import * as z from 'zod/mini';
import { boundAuditWriter } from '#shared/audit/audit-writer.dynamodb';
import { auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv, resource } from '#shared/env';
import { httpRoutes } from '#shared/http/http-handler';
import { publicDomain } from '#shared/http/public-domain';
import { boundTable } from '#shared/table/table.dynamodb';
import { consoleTable } from '../environment.ts';
import { managementApi } from '../management/management.https.ts';
import { sessionStore } from '../sessions/sessions.dynamodb.ts';
import { submissionStore } from '../sessions/submissions.dynamodb.ts';
import { attemptCounts } from '../sign-in/attempts.dynamodb.ts';
import { deviceKeys } from '../sign-in/device-keys.dynamodb.ts';
import { poolParts } from '../sign-in/pool-parts.cognito.ts';
import { type ConsoleParts, consoleHandlers } from './console.ts';
import { pageSettings, presentingWith } from './presenting.ts';
import { ROUTER } from './screens.ts';

export const Env = z.object({
  ...consoleTable,
  ...auditTable,
  ...pageSettings,
  API_URL: resource,
  MANAGERS_POOL: resource,
  CONSOLE_CLIENT: resource,
  /** True if operators need a code of an authenticator app to sign in. */
  OPERATORS_NEED_CODE: z.enum(['true', 'false']),
});
const env = readEnv(Env);
const [table, pool] = [boundTable(env.CONSOLE_TABLE), { poolId: env.MANAGERS_POOL, clientId: env.CONSOLE_CLIENT }];
const parts: ConsoleParts = {
  sessions: sessionStore(table),
  submissions: submissionStore(table, () => crypto.randomUUID()),
  attempts: attemptCounts(table),
  devices: deviceKeys(table),
  audit: boundAuditWriter(env.AUDIT_TABLE),
  ...poolParts(pool),
  operatorsNeedCode: env.OPERATORS_NEED_CODE === 'true',
  cookies: { isSecure: env.API_URL.startsWith('https:') },
  router: ROUTER,
  managementFor: (request) => managementApi({ apiUrl: env.API_URL, originSecret: publicDomain()?.secret, ...request }),
  presenting: presentingWith(env),
};
const { answer, answerToFile } = consoleHandlers(parts, Date.now);

export const handler = httpRoutes({
  'GET /console': answer,
  'GET /console/{proxy+}': answer,
  'POST /console/sign-in': answer,
  'POST /console/sign-in/next': answer,
  'POST /console/imports/-/new': answerToFile,
  'POST /console/t/{tenant}/imports/-/new': answerToFile,
  'POST /console/{proxy+}': answer,
  'ANY /console': answer,
  'ANY /console/{proxy+}': answer,
});
