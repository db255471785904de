import type { Construct } from 'constructs';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Erases usage and credentials of accounts that are erased; invoices stay. */
export function addErasure(scope: Construct, { data: { accounts, conversions } }: Foundations): void {
  const eraseAccounts = new ServiceFunction(scope, 'conversions/erasure/erase-accounts', {
    timeoutSeconds: 900,
    bindings: {
      ...accounts.erasing,
      CONVERSIONS_TABLE: conversions.table.allows(
        {
          'METER#': ['DeleteItem'],
          'CREDENTIAL#': ['DeleteItem'],
          'ANNOUNCEMENT#': ['DeleteItem'],
          'LATE_USAGE#': ['DeleteItem'],
          'USAGE#': ['DeleteItem'],
          'ANSWER#': ['DeleteItem'],
        },
        { scans: true },
      ),
    },
    ifItFails: 'Usage and credentials of erased accounts stay until it works again.',
  });
  everyHour(
    scope,
    'EraseEveryHour',
    eraseAccounts,
    'Erases usage and credentials of accounts that are erased; invoices stay.',
  );
}
