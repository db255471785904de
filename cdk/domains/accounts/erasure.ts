import type { Construct } from 'constructs';
import type { ErasingDomain } from '#shared/erasures/erasure';
import { setting } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Erasures of customers: what they are about, how far they are, and the part of the accounts. */
export function addErasure(scope: Construct, { data, edge: { api } }: Pick<Foundations, 'data' | 'edge'>): void {
  const { table } = data.accounts;
  api.serve(
    new ServiceFunction(scope, 'accounts/erasure/erasures', {
      bindings: { ACCOUNTS_TABLE: table.allows({ 'ERASURE#': ['GetItem'] }, { lists: ['ERASURES#'] }) },
      ifItFails: 'Nobody sees how far the erasure of a customer is; it goes on.',
    }),
  );
  const erasing: readonly ErasingDomain[] = ['accounts', 'places', 'images'];
  const { domains } = settingsOf(scope);
  const eraseCustomers = new ServiceFunction(scope, 'accounts/erasure/erase-customers', {
    timeoutSeconds: 900,
    bindings: {
      ACCOUNTS_TABLE: table.allows({
        'ERASURE#': ['GetItem', 'UpdateItem'],
        OPEN_ERASURES: ['Query', 'DeleteItem'],
        'POINTS#': ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      }),
      DOMAINS: setting(erasing.filter((domain) => domains.includes(domain)).join(',')),
    },
    ifItFails: 'Ledgers of deleted customers keep their names, and no erasure is completed.',
  });
  everyHour(scope, 'EraseEveryHour', eraseCustomers, 'Takes names out of ledgers, and completes erasures.');
}
