import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';

const ErasedTimes = named(
  'ErasedTimes',
  z.object({ accounts: Time, records: Time, webhooks: Time, conversions: Time, places: Time, images: Time }).partial(),
  'When each domain erased its part for the last time.',
);

const ErasureRemains = named(
  'ErasureRemains',
  z.object({ what: z.string(), why: z.string() }),
  'Data that the erasure leaves, and the reason.',
);

export const Erasure = named(
  'Erasure',
  z.object({
    id: z.string(),
    subject: z.enum(['customer', 'account']),
    account: z.string().optional().describe('The account, if it is the subject.'),
    customer: z.string().optional().describe('The customer, if it is the subject and the erasure is running.'),
    status: z.enum(['running', 'completed']),
    requestedAt: Time,
    erasedAt: ErasedTimes,
    completedAt: z.optional(Time),
    remains: z.array(ErasureRemains),
  }),
  'The removal of all data of a customer, or of the whole account, from every domain.',
);

/** Operations on erasures. Deleting a customer or an account starts one. */
export const erasureOperations = operations({
  listErasures: {
    route: 'GET /manage/v1/erasures',
    summary: 'List erasures',
    query: PageQuery,
    answers: { 200: pageOf('ErasurePage', Erasure) },
  },
  getErasure: {
    route: 'GET /manage/v1/erasures/{id}',
    summary: 'Get an erasure',
    path: ItemPath,
    answers: { 200: Erasure },
  },
});
