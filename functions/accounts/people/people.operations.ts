import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { NewPerson, PersonChange, TenantRole } from './person.ts';

const Person = named(
  'Person',
  z.object({
    id: z.string().describe('The name for signing in: the e-mail address to which the person was invited.'),
    name: z.string(),
    email: z.nullable(z.string()),
    role: TenantRole,
    active: z.boolean().describe('False while the person is disabled.'),
    createdAt: Time,
    lastSeenAt: z.nullable(Time).describe('The last request, to within an hour; null before the first sign-in.'),
  }),
  'A person who may sign in to the console.',
);

const PersonWithPassword = named(
  'PersonWithPassword',
  Person.extend({
    mailed: z.boolean().describe('True if the password was mailed to the person.'),
    temporaryPassword: z
      .optional(z.string())
      .describe('For one sign-in, within seven days. Shown this once, and only if no mail was sent.'),
  }),
  'A person who chooses a password at the next sign-in.',
);

/** The sign-in name in the path of one person. Longer ones do not exist. */
const path = z.object({ id: z.string().min(1).max(128) });

/** Operations on the people of a tenant. */
export const peopleOperations = operations({
  invitePerson: {
    route: 'POST /manage/v1/people',
    summary: 'Invite a person',
    description:
      'Where the deployment sends mails, the person gets the temporary password; otherwise the answer has it.',
    body: NewPerson,
    example: { email: 'dana@example.com', name: 'Dana', role: 'reviewer' },
    answers: { 201: PersonWithPassword },
    errors: { 409: ['account-erased', 'person-exists'] },
  },
  listPeople: {
    route: 'GET /manage/v1/people',
    summary: 'List the people of the account',
    query: PageQuery,
    answers: { 200: pageOf('PersonPage', Person) },
  },
  getPerson: {
    route: 'GET /manage/v1/people/{id}',
    summary: 'Get a person',
    path,
    answers: { 200: Person },
  },
  changePerson: {
    route: 'PATCH /manage/v1/people/{id}',
    summary: 'Change, disable or enable a person',
    description: 'Members that are absent stay as they are. A role applies from the next request on.',
    path,
    body: PersonChange,
    example: { role: 'viewer' },
    answers: { 200: Person },
    errors: { 409: ['changed-meanwhile', 'last-admin'] },
  },
  deletePerson: {
    route: 'DELETE /manage/v1/people/{id}',
    summary: 'Delete a person',
    path,
    answers: { 204: undefined },
    errors: { 409: ['changed-meanwhile', 'last-admin'] },
  },
  resetPerson: {
    route: 'POST /manage/v1/people/{id}/reset',
    summary: 'Reset the password and the authenticator app of a person',
    description: 'All sessions of the person end.',
    path,
    answers: { 200: PersonWithPassword },
  },
  endPersonSessions: {
    route: 'DELETE /manage/v1/people/{id}/sessions',
    summary: 'Sign a person out everywhere',
    description: 'All sessions that have begun until now are refused from now on.',
    path,
    answers: { 204: undefined },
  },
});
