import * as z from 'zod';
import { ROLES } from '#shared/auth/role';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';

const Me = named(
  'Me',
  z.object({
    id: z.string().describe('The id of the key, or of the person in the user pool.'),
    name: z.nullable(z.string()),
    tenant: z.string(),
    kind: z.enum(['person', 'key']),
    role: z.nullable(z.enum(ROLES)).describe('Null for a key, which has scopes.'),
  }),
  'The caller.',
);

export const meOperations = operations({
  getMe: {
    route: 'GET /manage/v1/me',
    summary: 'Get the caller',
    answers: { 200: Me },
  },
});
