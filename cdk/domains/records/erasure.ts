import type { Construct } from 'constructs';
import { objects } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Erases download requests and results of accounts that are erased. */
export function addErasure(scope: Construct, { data: { accounts, records } }: Foundations): void {
  const eraseAccounts = new ServiceFunction(scope, 'records/erasure/erase-accounts', {
    timeoutSeconds: 900,
    bindings: {
      ...accounts.erasing,
      RECORDS_TABLE: records.table.allows(
        {
          'DOWNLOADS#': ['DeleteItem'],
          'REQUEST#': ['DeleteItem'],
        },
        { scans: true },
      ),
      RESULTS_BUCKET: objects(records.results, { actions: ['DeleteObject'] }).andListsKeys(),
    },
    ifItFails: 'Download requests and results of erased accounts stay until it works again.',
  });
  everyHour(
    scope,
    'EraseEveryHour',
    eraseAccounts,
    'Erases download requests and results of accounts that are erased.',
  );
}
