/** Schemas of what several answers of the loyalty interfaces have in common. */
import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';

/** The answer to a call that was carried out. @param id the name in the documents, such as `PlaceList` */
export const answerOf = <Members extends z.core.$ZodShape>(id: string, members: Members) =>
  named(id, z.object({ status: z.enum(['ok']), ...members }));

/** The `user` of an answer: see `presentCustomer`. */
export const LoyaltyUser = named(
  'LoyaltyUser',
  z.object({ id: z.string(), external_id: z.optional(z.string()) }),
  'The customer of the call. An anonymous customer has only its id.',
);
