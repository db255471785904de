/** /manage/v1/people/{name}/sign-in-limit: lets operators see and remove the lock of a name after wrong passwords. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { apiRoutes, noContent, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { consoleTable } from '../environment.ts';
import { failuresOf, forgetFailures } from './attempts.dynamodb.ts';
import { ownerOf, ownersOf } from './lockout.ts';
import { presentLockout } from './present-lockout.ts';
import { signInLimitOperations } from './sign-in-limits.operations.ts';

export const Env = z.object({ ...consoleTable, ...auditTable });
const env = readEnv(Env);
const api = audited(managementApi, env);
const table = boundTable(env.CONSOLE_TABLE);

export const handler = apiRoutes(api, signInLimitOperations, {
  getSignInLimit: async ({ caller, path: { name }, now }) => {
    requireOperator(caller);
    return ok(presentLockout(name, await failuresOf(table, ownerOf(name)), now));
  },
  removeSignInLimit: async ({ caller, path: { name } }) => {
    requireOperator(caller);
    for (const owner of ownersOf(name)) await forgetFailures(table, owner);
    return noContent();
  },
});
