import type { Construct } from 'constructs';
import type { Foundations } from '../../stacks/foundations.ts';

/** The callers of the loyalty interfaces: apps, customers, and the tokens of anonymous customers. */
export function addLoyalty(scope: Construct, { data, edge: { api } }: Pick<Foundations, 'data' | 'edge'>): void {
  const { table } = data.accounts;
  api.serve(scope, 'accounts/apps/apps', {
    bindings: {
      ...data.accounts.auditing,
      ACCOUNTS_TABLE: table.allows(
        { 'APP#': ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
        { lists: ['APPS#'] },
      ),
    },
    ifItFails: 'Tenants cannot manage loyalty apps, and cannot replace a secret; calls of apps are not touched.',
  });
  api.serve(scope, 'accounts/customers/customers', {
    bindings: {
      ...data.accounts.auditing,
      ACCOUNTS_TABLE: table.allows(
        {
          'CUSTOMER#': ['GetItem', 'PutItem', 'DeleteItem'],
          'EXTERNAL#': ['GetItem', 'PutItem', 'DeleteItem'],
          'POINTS#': ['GetItem', 'BatchGetItem'],
          'ERASURE#': ['PutItem'],
          OPEN_ERASURES: ['PutItem'],
        },
        { lists: ['CUSTOMERS#'] },
      ),
    },
    ifItFails: 'Tenants cannot register loyalty customers, or see their points; calls of apps are not touched.',
  });
  api.serve(scope, 'accounts/anonymous-tokens/anonymous-tokens', {
    bindings: {
      ACCOUNTS_TABLE: table.allows({ 'ACCOUNT#': ['GetItem'], 'APP#': ['GetItem'] }),
      ...data.accounts.loyaltyCallers,
    },
    ifItFails: 'Apps get no tokens for new anonymous customers; tokens that they have work on.',
  });
}
