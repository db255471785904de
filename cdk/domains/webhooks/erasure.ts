import type { Construct } from 'constructs';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Erases configurations, rules and runs of accounts that are erased. */
export function addErasure(scope: Construct, { data: { accounts, webhooks } }: Foundations): void {
  const eraseAccounts = new ServiceFunction(scope, 'webhooks/erasure/erase-accounts', {
    timeoutSeconds: 900,
    bindings: {
      ...accounts.erasing,
      WEBHOOKS_TABLE: webhooks.table.allows(
        {
          'CONFIGURATION#': ['DeleteItem'],
          'CONFIGURATION_NAME#': ['DeleteItem'],
          'CONFIGURATION_RULES#': ['DeleteItem'],
          'CONFIGURATION_TESTS#': ['DeleteItem'],
          'RULE#': ['DeleteItem'],
          'MATCH#': ['DeleteItem'],
          'RUN#': ['DeleteItem'],
          'SUBJECT_REQUEST#': ['DeleteItem'],
          'BULK_REPLAY#': ['DeleteItem'],
          'RUNNING_BULK_REPLAY#': ['DeleteItem'],
          'LOAD#': ['DeleteItem'],
          'QUOTA#': ['DeleteItem'],
        },
        { scans: true },
      ),
    },
    ifItFails: 'Webhooks and their runs of erased accounts stay until it works again.',
  });
  everyHour(
    scope,
    'EraseEveryHour',
    eraseAccounts,
    'Erases configurations, rules and runs of accounts that are erased.',
  );
}
