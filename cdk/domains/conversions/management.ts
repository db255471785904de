import type { Construct } from 'constructs';
import { reads } from '../../constructs/functions/bindings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** The routes below /manage/v1/accounts/{id} that concern conversions. */
export function addManagement(scope: Construct, { data, edge: { api } }: Foundations): void {
  const { table } = data.conversions;
  const knowsTenants = { ACCOUNTS_TABLE: data.accounts.table.allows({ 'ACCOUNT#': ['GetItem', 'UpdateItem'] }) };
  // An account begins when a tenant first needs it, and on a paid plan with its first period and the invoice of it.
  const begins = {
    'METER#': ['GetItem', 'PutItem', 'UpdateItem'],
    'PERIOD#': ['UpdateItem'],
    'INVOICE#': ['PutItem'],
    'ANNOUNCEMENT#': ['PutItem'],
  } as const;
  for (const name of ['keys', 'oauth-clients'] as const) {
    api.serve(scope, `conversions/billing/credentials/${name}`, {
      bindings: {
        ...data.accounts.auditing,
        ...knowsTenants,
        CONVERSIONS_TABLE: table.allows(
          { ...begins, 'CREDENTIAL#': ['GetItem', 'PutItem', 'UpdateItem'] },
          { lists: ['CREDENTIALS#'] },
        ),
        KEY_SECRETS: reads(data.conversions.keySecrets),
      },
      ifItFails: 'Tenants cannot make or revoke credentials of conversions; those that they have work on.',
    });
  }
  api.serve(scope, 'conversions/billing/plans/plans', {
    bindings: {
      ...data.accounts.auditing,
      ...knowsTenants,
      CONVERSIONS_TABLE: table.allows({
        ...begins,
        'PAYMENT#': ['GetItem', 'PutItem'],
        'PAYMENT_EVENT#': ['GetItem', 'PutItem'],
        // A step may be the first of its day.
        'USAGE#': ['UpdateItem'],
      }),
    },
    ifItFails: 'Tenants cannot change plans, and payment events are not received.',
  });
  api.serve(scope, 'conversions/usage/tenant-usage', {
    bindings: { ...knowsTenants, CONVERSIONS_TABLE: table.allows({ ...begins, 'USAGE#': ['Query'] }) },
    ifItFails: 'People of a tenant cannot see in the console what it has used.',
  });
  api.serve(scope, 'conversions/billing/invoices/invoices', {
    bindings: { CONVERSIONS_TABLE: table.allows({}, { lists: ['INVOICES#'] }) },
    ifItFails: 'Tenants cannot see their invoices.',
  });
}
