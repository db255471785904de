import type { Construct } from 'constructs';
import { managesPeopleOf, sendsMailAs, setting } from '../../constructs/functions/bindings.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** The people of tenants, and what callers ask about themselves. */
export function addPeople(scope: Construct, { data, edge: { api } }: Pick<Foundations, 'data' | 'edge'>): void {
  const { table, managers, auditing } = data.accounts;
  api.serve(scope, 'accounts/people/people', {
    bindings: {
      ...auditing,
      ACCOUNTS_TABLE: table.allows(
        {
          'ACCOUNT#': ['GetItem'],
          'PERSON#': ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
          'ADMINS#': ['UpdateItem'],
        },
        { lists: ['PEOPLE#'] },
      ),
      MANAGERS_POOL: managesPeopleOf(managers),
      MAIL_FROM: sendsMailAs(scope, settingsOf(scope).mailFrom),
      CONSOLE_URL: setting(`${api.url}/console`),
    },
    ifItFails: 'Admins cannot invite, change, disable or reset people; whoever is signed in can go on working.',
  });
  api.serve(scope, 'accounts/people/me', {
    bindings: {},
    ifItFails: 'The console shows people fewer buttons than they may use.',
  });
}
