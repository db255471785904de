import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';

const SignInLimit = named(
  'SignInLimit',
  z.object({
    name: z.string(),
    newBrowsersClosedUntil: z
      .nullable(Time)
      .describe('The time until which new browsers cannot sign in with this name.'),
    closedNetworks: z.int(),
    closedBrowsers: z.int(),
  }),
  'The lock of a name after wrong passwords. Names that do not exist look alike.',
);

const path = z.object({ name: z.string().min(1).max(128) });

/** Operations on the limits of sign-in. */
export const signInLimitOperations = operations({
  getSignInLimit: {
    route: 'GET /manage/v1/people/{name}/sign-in-limit',
    summary: 'Get the sign-in limit of a person',
    description: 'For operators.',
    path,
    answers: { 200: SignInLimit },
  },
  removeSignInLimit: {
    route: 'DELETE /manage/v1/people/{name}/sign-in-limit',
    summary: 'Remove the sign-in limit of a person',
    description: 'For operators. The person can sign in again at once.',
    path,
    answers: { 204: undefined },
  },
});
