import { Construct } from 'constructs';
import { reads, setting } from '../../constructs/functions/bindings.ts';
import { DATA_PLANS } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';
import { addErasure } from './erasure.ts';
import { addLoyalty } from './loyalty.ts';
import { addPeople } from './people.ts';

/** Tenants and their credentials: the users endpoint, and the routes that manage them. */
export class Accounts extends Construct {
  constructor(scope: Construct, id: string, { data, edge }: Foundations) {
    super(scope, id);
    const { api } = edge;
    const { table, managementKeySecrets } = data.accounts;
    const managing = 'Operators and tenants cannot manage accounts; running services are not touched.';

    api.serve(this, 'accounts/users/users', {
      bindings: {
        ACCOUNTS_TABLE: table.allows({
          'ACCOUNT#': ['GetItem'],
          'DATA_TOKEN#': ['GetItem'],
          'PREVIEWS#': ['GetItem'],
        }),
      },
      ifItFails: 'Callers of /v3/users cannot see how many records they may download.',
    });
    api.serve(this, 'accounts/tenants/accounts', {
      bindings: {
        ...data.accounts.auditing,
        ACCOUNTS_TABLE: table.allows(
          { 'ACCOUNT#': ['GetItem', 'PutItem', 'UpdateItem'], 'ERASURE#': ['GetItem'] },
          { lists: ['ACCOUNTS'] },
        ),
      },
      ifItFails: managing,
    });
    addDataTokens(this, { data, edge });
    api.serve(this, 'accounts/management-keys/management-keys', {
      bindings: {
        ...data.accounts.auditing,
        ACCOUNTS_TABLE: table.allows(
          { 'ACCOUNT#': ['GetItem'], 'MANAGEMENT_KEY#': ['PutItem', 'UpdateItem'] },
          { lists: ['MANAGEMENT_KEYS#'] },
        ),
        KEY_SECRETS: reads(managementKeySecrets),
      },
      ifItFails: `${managing} Management keys cannot be revoked.`,
    });
    api.serve(this, 'accounts/audit/audit', {
      bindings: { ACCOUNTS_TABLE: table.allows({ 'AUDIT#': ['Query'] }, { lists: ['AUDITS#'] }) },
      ifItFails: 'Nobody can see who changed what; the log is written all the same.',
    });
    addPeople(this, { data, edge });
    addLoyalty(this, { data, edge });
    addErasure(this, { data, edge });
  }
}

function addDataTokens(
  scope: Construct,
  { data: { accounts }, edge: { api } }: Pick<Foundations, 'data' | 'edge'>,
): void {
  api.serve(scope, 'accounts/data-tokens/data-tokens', {
    bindings: {
      DATA_PLANS: setting(JSON.stringify(DATA_PLANS)),
      ...accounts.auditing,
      ACCOUNTS_TABLE: accounts.table.allows(
        { 'ACCOUNT#': ['GetItem'], 'DATA_TOKEN#': ['GetItem', 'PutItem', 'UpdateItem'] },
        { lists: ['DATA_TOKENS#'] },
      ),
    },
    ifItFails: 'Operators cannot create, change or revoke data tokens; existing ones still work.',
  });
}
