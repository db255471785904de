import type { Construct } from 'constructs';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Erases what is held of customers whom their tenant has deleted. */
export function addErasure(scope: Construct, { data: { accounts, places } }: Foundations): void {
  const eraseVisits = new ServiceFunction(scope, 'places/erasure/erase-visits', {
    timeoutSeconds: 900,
    bindings: {
      ACCOUNTS_TABLE: accounts.table.allows({ 'ERASURE#': ['GetItem', 'UpdateItem'], OPEN_ERASURES: ['Query'] }),
      PLACES_TABLE: places.table.allows({ 'LISTING#': ['DeleteItem'], 'STANDING#': ['Query', 'DeleteItem'] }),
    },
    ifItFails: 'Visits of deleted customers stay until it works again.',
  });
  everyHour(scope, 'EraseEveryHour', eraseVisits, 'Erases visits of deleted customers.');
}
