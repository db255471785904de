import { countFault } from '#shared/faults';
import { log } from '#shared/log';
import type { Table } from '#shared/table.dynamodb';
import { eraseOpen } from './erase-open.ts';
import type { ErasingDomain, OpenErasure } from './erasure.ts';
import { noteErased, openErasures } from './erasure-items.dynamodb.ts';

/** Does the part of a domain in all erasures that are under way. @param accounts the table that they stand in */
export const erasesOpenIn =
  (accounts: Table, domain: ErasingDomain, erase: (erasure: OpenErasure) => Promise<void>) =>
  (now: number): Promise<void> =>
    eraseOpen(
      {
        domain,
        open: () => openErasures(accounts),
        erase,
        note: (...noted) => noteErased(accounts, ...noted),
        failed: ({ tenant, id }, error) => {
          log.error('customer not erased', { tenant, erasure: id, error });
          countFault();
        },
      },
      now,
    );
