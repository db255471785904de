/** Tells callers who they are and what they may do. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { meOperations } from './me.operations.ts';

export const Env = z.object({});
readEnv(Env);

export const handler = apiRoutes(managementApi, meOperations, {
  getMe: ({ caller: { subject = '', name, tenant, credential = 'person', role } }) =>
    ok({ id: subject, name: name ?? null, tenant, kind: credential, role: role ?? null }),
});
