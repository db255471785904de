import * as z from 'zod';
import { ActorView } from '#shared/audit/audit-line';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';

const OAuthClient = named(
  'OAuthClient',
  z.object({
    id: z.string(),
    clientId: z.string(),
    mode: z.enum(['test']),
    createdAt: Time,
    createdBy: z.nullable(ActorView),
    lastUsedAt: z
      .nullable(Time)
      .meta({ description: 'The last use, if there was one; it is written once an hour at most.' }),
    revokedAt: z.optional(Time),
  }),
  'A client that gets access tokens of the conversion API.',
);

const CreatedOAuthClient = named(
  'CreatedOAuthClient',
  OAuthClient.extend({ clientSecret: z.string() }),
  'The client with its secret, which is shown this once.',
);

/** Operations on test OAuth clients. */
export const oauthClientOperations = operations({
  createOAuthClient: {
    route: 'POST /manage/v1/accounts/{id}/oauth-clients',
    summary: 'Create a test OAuth client',
    path: ItemPath,
    answers: { 201: CreatedOAuthClient },
  },
  listOAuthClients: {
    route: 'GET /manage/v1/accounts/{id}/oauth-clients',
    summary: 'List OAuth clients',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('OAuthClientPage', OAuthClient) },
  },
  revokeOAuthClient: {
    route: 'DELETE /manage/v1/accounts/{id}/oauth-clients/{clientId}',
    summary: 'Revoke an OAuth client',
    path: ItemPath.extend({ clientId: z.string().max(100) }),
    answers: { 204: undefined },
  },
});
