import * as z from 'zod';
import { ActorView } from '#shared/audit/audit-line';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { NewConversionKey } from './credential.ts';

const ConversionKey = named(
  'ConversionKey',
  z.object({
    id: z.string(),
    name: z.nullable(z.string()),
    mode: z.enum(['live', 'test']),
    prefix: z.string().meta({ description: 'The beginning of the key, by which it is recognised.' }),
    createdAt: Time,
    createdBy: z.nullable(ActorView),
    lastUsedAt: z
      .nullable(Time)
      .meta({ description: 'The last use, if there was one; it is written once an hour at most.' }),
    revokedAt: z.optional(Time),
  }),
  'A credential of the conversion API.',
);

const CreatedConversionKey = named(
  'CreatedConversionKey',
  ConversionKey.extend({ key: z.string() }),
  'The conversion key with its text, which is shown this once.',
);

/** Operations on conversion keys. */
export const conversionKeyOperations = operations({
  createConversionKey: {
    route: 'POST /manage/v1/accounts/{id}/keys',
    summary: 'Create a conversion key',
    path: ItemPath,
    body: NewConversionKey,
    example: { mode: 'live', name: 'Checkout servers' },
    answers: { 201: CreatedConversionKey },
  },
  listConversionKeys: {
    route: 'GET /manage/v1/accounts/{id}/keys',
    summary: 'List conversion keys',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('ConversionKeyPage', ConversionKey) },
  },
  revokeConversionKey: {
    route: 'DELETE /manage/v1/accounts/{id}/keys/{keyId}',
    summary: 'Revoke a conversion key',
    path: ItemPath.extend({ keyId: z.string().max(100) }),
    answers: { 204: undefined },
  },
});
