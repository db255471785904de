import type { Construct } from 'constructs';
import { removesPeopleOf, setting } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Erasures of customers and accounts: what opens and shows them, and the part of the accounts. */
export function addErasure(scope: Construct, { data, edge: { api } }: Pick<Foundations, 'data' | 'edge'>): void {
  const { table, managers, auditing } = data.accounts;
  api.serve(scope, 'accounts/erasure/erasures', {
    bindings: { ACCOUNTS_TABLE: table.allows({ 'ERASURE#': ['GetItem'] }, { lists: ['ERASURES#'] }) },
    ifItFails: 'Nobody sees how far the erasure of a customer is; it goes on.',
  });
  api.serve(scope, 'accounts/tenants/erase-accounts', {
    bindings: {
      ...auditing,
      ACCOUNTS_TABLE: table.allows({
        'ACCOUNT#': ['GetItem', 'PutItem'],
        'ERASURE#': ['GetItem', 'PutItem'],
        OPEN_ERASURES: ['PutItem'],
      }),
    },
    ifItFails: 'Operators cannot erase accounts; erasures that are under way go on.',
  });
  const eraseCustomers = new ServiceFunction(scope, 'accounts/erasure/erase-customers', {
    timeoutSeconds: 900,
    bindings: {
      ACCOUNTS_TABLE: table.allows(
        {
          'ERASURE#': ['GetItem', 'UpdateItem', 'DeleteItem'],
          OPEN_ERASURES: ['Query', 'DeleteItem'],
          'POINTS#': ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
          'DATA_TOKEN#': ['DeleteItem'],
          'MANAGEMENT_KEY#': ['DeleteItem'],
          'PERSON#': ['DeleteItem'],
          'ADMINS#': ['DeleteItem'],
          'APP#': ['DeleteItem'],
          'CUSTOMER#': ['DeleteItem'],
          'EXTERNAL#': ['DeleteItem'],
          'PREVIEWS#': ['DeleteItem'],
          'MANAGEMENT_RATE#': ['DeleteItem'],
          'ANSWER#': ['DeleteItem'],
        },
        { scans: true },
      ),
      DOMAINS: setting(settingsOf(scope).domains.join(',')),
      MANAGERS_POOL: removesPeopleOf(managers),
    },
    ifItFails: 'Ledgers of deleted customers keep their names, accounts stay, and no erasure is completed.',
  });
  everyHour(scope, 'EraseEveryHour', eraseCustomers, 'Erases what the accounts hold, and completes erasures.');
}
