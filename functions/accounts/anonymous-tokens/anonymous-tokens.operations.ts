import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';

const issued = { auth_token: z.string(), expires: Time };

const AnonymousToken = named(
  'AnonymousToken',
  z.object({
    status: z.enum(['ok']),
    user: named('AnonymousUser', z.object({ id: z.string(), ...issued })),
    ...issued,
  }),
  'The credential of a customer whom nobody has registered. It is good for 30 days, for its app only.',
);

/** The operation that makes anonymous tokens. */
export const anonymousTokenOperations = operations({
  createAnonymousToken: {
    route: 'POST /priv/v1/apps/{api_key}/anonymous_tokens',
    summary: 'Create an anonymous token',
    description: 'A body is ignored.',
    answers: { 200: AnonymousToken },
  },
});
