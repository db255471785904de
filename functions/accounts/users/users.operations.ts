import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { DataTime } from '#shared/http/data-answers';
import { operations } from '#shared/http/operation';
import { onlyParameters } from '#shared/http/query';

const User = named(
  'User',
  z.object({
    token: z.string().describe('The data token that the call was made with.'),
    organization: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone_number: z.string(),
    plan_id: z.string().describe('The data plan, which decides on the views.'),
    type: z.literal('user'),
    active: z.literal([0, 1]).describe('0 while the account is suspended.'),
    available_downloads: z.int().describe('Records that may still be downloaded.'),
    date_registered: DataTime,
  }),
  'The account behind a data token.',
);

/** Operations on the caller's own user. */
export const userOperations = operations({
  listUsers: {
    route: 'GET /v3/users',
    summary: 'Get the user of the caller as a list of one',
    query: onlyParameters({}),
    answers: { 200: z.array(User) },
  },
  getUser: {
    route: 'GET /v3/users/{token}',
    summary: 'Get the user of the caller',
    description: 'Every token but the one of the call is unknown.',
    path: z.object({ token: z.string() }),
    query: onlyParameters({}),
    answers: { 200: User },
  },
});
