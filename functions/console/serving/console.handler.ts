/** The administration screens. They call the management API with the person's own token. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { boundAuditWriter } from '#shared/audit/audit-writer.dynamodb';
import { auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv, resource } from '#shared/env';
import { httpRoutes, loggedHandler } from '#shared/http/http-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { Assets } from '../assets/asset-paths.ts';
import { EMBEDDED } from '../assets/embedded.ts';
import { consoleTable } from '../environment.ts';
import { managementApi } from '../management/management.https.ts';
import { sessionStore } from '../sessions/sessions.dynamodb.ts';
import { submissionStore } from '../sessions/submissions.dynamodb.ts';
import { attemptCounts } from '../sign-in/attempts.dynamodb.ts';
import { deviceKeys } from '../sign-in/device-keys.dynamodb.ts';
import { people } from '../sign-in/people.cognito.ts';
import { secondFactors } from '../sign-in/second-factor.cognito.ts';
import { answerConsole, type ConsoleParts } from './console.ts';
import { presentFault } from './present-fault.ts';
import { ROUTER } from './screens.ts';

export const Env = z.object({
  ...consoleTable,
  ...auditTable,
  API_URL: resource,
  MANAGERS_POOL: resource,
  CONSOLE_CLIENT: resource,
  /** True if operators need a code of an authenticator app to sign in. */
  OPERATORS_NEED_CODE: z.enum(['true', 'false']),
  /** The origins of pictures, separated by spaces. */
  IMAGE_ORIGINS: z.string(),
});
const env = readEnv(Env);
const [table, pool] = [boundTable(env.CONSOLE_TABLE), { poolId: env.MANAGERS_POOL, clientId: env.CONSOLE_CLIENT }];
const parts: ConsoleParts = {
  sessions: sessionStore(table),
  submissions: submissionStore(table, randomUUID),
  attempts: attemptCounts(table),
  devices: deviceKeys(table),
  audit: boundAuditWriter(env.AUDIT_TABLE),
  people: people(pool),
  secondFactors: secondFactors(pool),
  operatorsNeedCode: env.OPERATORS_NEED_CODE === 'true',
  cookies: { isSecure: env.API_URL.startsWith('https:') },
  router: ROUTER,
  managementFor: (request) => managementApi({ apiUrl: env.API_URL, ...request }),
  presenting: { assets: new Assets(EMBEDDED), headers: { imageOrigins: env.IMAGE_ORIGINS.split(' ').filter(Boolean) } },
};
const answer = loggedHandler(presentFault(parts.presenting), (event) => answerConsole(parts, event, Date.now()));

export const handler = httpRoutes({
  'GET /console': answer,
  'GET /console/{proxy+}': answer,
  'POST /console/sign-in': answer,
  'POST /console/sign-in/next': answer,
  'POST /console/{proxy+}': answer,
  'ANY /console': answer,
  'ANY /console/{proxy+}': answer,
});
