/** The people of a tenant: its admins invite, change and remove them, reset their credentials and end their sessions. */
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, tenantApi } from '#shared/http/management-api';
import { mails } from '#shared/mail/mails.ses';
import { callLimits } from '#shared/quotas/call-limits';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { handOver } from './invitation-mail.ts';
import { peopleOperations } from './people.operations.ts';
import * as manage from './person.ts';
import { personStore } from './person-store.dynamodb.ts';
import { newPassword, poolSignIns } from './sign-ins.cognito.ts';

export const Env = z.object({
  ...auditTable,
  ...accountsTable,
  MANAGERS_POOL: resource,
  MAIL_FROM: z.string(),
  CONSOLE_URL: resource,
});
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const client = new CognitoIdentityProviderClient({ maxAttempts: 3, requestHandler: callLimits(4_000) });
const signIns = poolSignIns({ client, UserPoolId: env.MANAGERS_POOL });
const parts = { people: personStore(table), signIns, newPassword };
const mailing = { sender: mails(env.MAIL_FROM), sends: env.MAIL_FROM !== '', consoleUrl: env.CONSOLE_URL };

export const handler = apiRoutes(api, peopleOperations, {
  invitePerson: async ({ caller, body, now }) => {
    const { id: tenant } = await accountById(accountStore(table), caller.tenant);
    const invited = await manage.invitePerson(parts, body, { tenant, now });
    return created(
      await handOver(invited, mailing),
      locationOf(`people/${encodeURIComponent(invited.person.id)}`, caller),
    );
  },
  listPeople: async ({ caller, query }) => okPage(await parts.people.list(caller.tenant, query), manage.presentPerson),
  getPerson: async ({ caller: { tenant }, path: { id } }) =>
    ok(manage.presentPerson(await manage.personById(parts, { tenant, id }))),
  changePerson: async ({ caller: { tenant }, path: { id }, body, now }) =>
    ok(manage.presentPerson(await manage.changePerson(parts, { tenant, id }, body, now))),
  deletePerson: async ({ caller: { tenant }, path: { id } }) => {
    await manage.removePerson(parts, { tenant, id });
    return noContent();
  },
  resetPerson: async ({ caller: { tenant }, path: { id }, now }) =>
    ok(await handOver(await manage.resetPerson(parts, { tenant, id }, now), mailing)),
  endPersonSessions: async ({ caller: { tenant }, path: { id }, now }) => {
    await manage.signOutPerson(parts, { tenant, id }, now);
    return noContent();
  },
});
