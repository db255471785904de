import { TEXT } from '../resources/field-kinds.ts';
import type { Resource } from '../resources/resource.ts';
import { Person } from './person-answers.ts';

export const ROLE_LABELS: Readonly<Record<Person['role'], string>> = {
  admin: 'Admin',
  reviewer: 'Reviewer',
  viewer: 'Viewer',
};

export const PEOPLE: Resource<Person> = {
  path: 'people',
  apiPath: 'people',
  title: 'People',
  one: 'person',
  lead: 'Who may sign in to this account, and what they may do.',
  creation: { title: 'Invite a person', button: 'Invite' },
  answer: Person,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  sections: [
    {
      rows: [
        {
          name: 'email',
          label: 'Email address',
          kind: TEXT,
          control: 'email',
          isRequired: true,
          isFinal: true,
          maxLength: 128,
          hint: 'The person signs in with it, and codes for a forgotten password are mailed to it.',
        },
        { name: 'name', label: 'Name', kind: TEXT, isRequired: true, maxLength: 100 },
        {
          name: 'role',
          label: 'Role',
          kind: TEXT,
          options: [
            ['viewer', 'Viewer: sees everything but the audit log, changes nothing'],
            ['reviewer', 'Reviewer: also reviews receipts and images'],
            ['admin', 'Admin: changes everything, and manages people'],
          ],
          initial: 'viewer',
        },
      ],
    },
  ],
  codes: { 'person-exists': 'email', 'last-admin': 'role' },
  deletion: 'All sessions end, and the person can no longer sign in.',
};
