import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { DataTokenChange, DataTokenId, NewDataToken } from './data-token-input.ts';

const DataToken = named(
  'DataToken',
  z.object({
    id: z.string(),
    planId: z.string().describe('The data plan, which decides on the views.'),
    availableDownloads: z.int().describe('Records that may still be downloaded.'),
    monthlyDownloads: z.int().optional(),
    renewsAt: z.optional(Time),
    createdAt: Time,
    revokedAt: z.optional(Time),
  }),
  'The credential of `/v3`, without its secret.',
);

const DataTokenWithSecret = named(
  'DataTokenWithSecret',
  DataToken.extend({ token: z.string().describe('Shown this once.') }),
  'A data token that was made by this call.',
);

const TokenPath = ItemPath.extend({ tokenId: DataTokenId });

/** Operations on data tokens. */
export const dataTokenOperations = operations({
  createDataToken: {
    route: 'POST /manage/v1/accounts/{id}/data-tokens',
    summary: 'Create a data token',
    description: 'For operators.',
    path: ItemPath,
    body: NewDataToken,
    example: { availableDownloads: 1000, planId: 'basic', monthlyDownloads: 1000 },
    answers: { 201: DataTokenWithSecret },
    errors: { 400: ['unknown-plan'], 409: ['account-erased'] },
  },
  listDataTokens: {
    route: 'GET /manage/v1/accounts/{id}/data-tokens',
    summary: 'List data tokens',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('DataTokenPage', DataToken) },
    errors: { 409: ['account-erased'] },
  },
  changeDataToken: {
    route: 'PATCH /manage/v1/accounts/{id}/data-tokens/{tokenId}',
    summary: 'Change the credit or plan of a data token',
    description: 'For operators. The credit is in force at once, the plan within a minute.',
    path: TokenPath,
    body: DataTokenChange,
    example: { addDownloads: 500 },
    answers: { 200: DataToken },
    errors: { 400: ['unknown-plan'] },
  },
  revokeDataToken: {
    route: 'DELETE /manage/v1/accounts/{id}/data-tokens/{tokenId}',
    summary: 'Revoke a data token',
    description: 'It is refused within a minute.',
    path: TokenPath,
    answers: { 204: undefined },
  },
});
