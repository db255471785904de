import type { Construct } from 'constructs';
import { objects } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Erases what is held of customers whom their tenant has deleted, and of accounts that are erased. */
export function addErasure(scope: Construct, { data: { accounts, places } }: Foundations): void {
  const eraseVisits = new ServiceFunction(scope, 'places/erasure/erase-visits', {
    timeoutSeconds: 900,
    bindings: {
      ...accounts.erasing,
      PLACES_TABLE: places.table.allows(
        {
          'PLACE#': ['DeleteItem'],
          'AD_UNIT#': ['DeleteItem'],
          'LISTING#': ['DeleteItem'],
          'STANDING#': ['Query', 'DeleteItem'],
          'IMPORT#': ['DeleteItem'],
          'IMPORT_ENTRY#': ['DeleteItem'],
          'SEQUENCE#': ['DeleteItem'],
          'QUOTA#': ['DeleteItem'],
        },
        { scans: true },
      ),
      IMPORTS_BUCKET: objects(places.imports, { actions: ['DeleteObject'] }).andListsKeys(),
    },
    ifItFails: 'Visits of deleted customers, and places of erased accounts, stay until it works again.',
  });
  everyHour(scope, 'EraseEveryHour', eraseVisits, 'Erases visits of deleted customers, and places of accounts.');
}
