import type { Construct } from 'constructs';
import { setting } from '../../constructs/functions/bindings.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** The delivery log, and the replay of a run. */
export function addRuns(scope: Construct, { data: { accounts, webhooks }, edge: { api } }: Foundations): void {
  api.serve(scope, 'webhooks/runs/runs', {
    bindings: {
      ...accounts.auditing,
      ACCOUNTS_TABLE: accounts.table.allows({ 'ACCOUNT#': ['GetItem'] }),
      WEBHOOKS_TABLE: webhooks.table.allows(
        {
          'RUN#': ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
          'CONFIGURATION#': ['GetItem', 'ConditionCheckItem'],
        },
        { indexes: { Log: 'LOG#', Failed: 'FAILED#' } },
      ),
      RETENTION_DAYS: setting(settingsOf(scope).webhookRetentionDays),
    },
    ifItFails: 'Tenants cannot see how their webhooks fared, or replay them; the webhooks themselves go out.',
  });
}
