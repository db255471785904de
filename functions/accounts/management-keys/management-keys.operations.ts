import * as z from 'zod';
import { ActorView } from '#shared/audit/audit-line';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { ManagementKeyId, ManagementScope, NewManagementKey } from './management-key.ts';

const ManagementKey = named(
  'ManagementKey',
  z.object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(ManagementScope),
    createdAt: Time,
    createdBy: z.nullable(ActorView),
    lastUsedAt: z.nullable(Time),
    expiresAt: z.nullable(Time),
    revokedAt: z.optional(Time),
  }),
  'The credential of a server for this API, without its secret.',
);

const ManagementKeyWithSecret = named(
  'ManagementKeyWithSecret',
  ManagementKey.extend({ key: z.string().describe('Shown this once.') }),
  'A management key that was made by this call.',
);

const KeyPath = ItemPath.extend({ keyId: ManagementKeyId });
const errors = { 409: ['account-erased'] };

/** Operations on management keys. */
export const managementKeyOperations = operations({
  createManagementKey: {
    route: 'POST /manage/v1/accounts/{id}/management-keys',
    summary: 'Create a management key',
    path: ItemPath,
    body: NewManagementKey,
    example: { name: 'Nightly export', scopes: ['read'] },
    answers: { 201: ManagementKeyWithSecret },
    errors,
  },
  listManagementKeys: {
    route: 'GET /manage/v1/accounts/{id}/management-keys',
    summary: 'List management keys',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('ManagementKeyPage', ManagementKey) },
    errors,
  },
  revokeManagementKey: {
    route: 'DELETE /manage/v1/accounts/{id}/management-keys/{keyId}',
    summary: 'Revoke a management key',
    description: 'It is refused from then on.',
    path: KeyPath,
    answers: { 204: undefined },
  },
});
