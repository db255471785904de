import type { StoredItem, StoredKinds } from '#shared/export/stored-kinds';
import type { Table } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { eraseTenant } from './erase-tenant.ts';
import type { ErasingDomain, OpenAccountErasure, OpenErasure } from './erasure.ts';
import { noteErased, openErasures } from './erasure-items.dynamodb.ts';
import { runOpenErasures } from './run-open-erasures.ts';
import { removeItems, tenantItems } from './tenant-items.dynamodb.ts';
import { tenantPasses } from './tenant-passes.dynamodb.ts';

/** The steps by which a domain erases its data of tenants and customers. */
export interface ErasedDomain {
  readonly domain: ErasingDomain;
  readonly table: Table;
  readonly kinds: StoredKinds<string>;
  /** Erases what the domain holds of a customer. @default nothing */
  readonly erase?: (erasure: OpenErasure) => Promise<void>;
  /** Returns whether an item stays although its kind is erased. @default none stays */
  readonly isRetained?: (erasure: OpenAccountErasure, item: StoredItem) => boolean;
  /** Removes what only these items refer to, before the items themselves. @default nothing */
  readonly removeDependents?: (items: readonly StoredItem[]) => Promise<void>;
  /** Removes what the domain holds of a tenant outside its table. @default nothing */
  readonly removeOthers?: (tenant: string) => Promise<void>;
  /** The number of items that one call reads. @default as many as fit into 1 MB */
  readonly pageItems?: number;
}

/** The remaining time of a call, as Lambda reports it. */
interface Remaining {
  getRemainingTimeInMillis(): number;
}

/** Longer than one page of a table takes. */
const RESERVE_MILLIS = 120_000;

/** Returns the function that runs a domain's part of all open erasures. @param accounts the table with the erasures */
export const openErasureRunner =
  (
    accounts: Table,
    { domain, table, kinds, erase, isRetained = () => false, removeDependents, removeOthers, pageItems }: ErasedDomain,
  ) =>
  (now: number, context: Remaining): Promise<void> => {
    const deps = {
      passes: tenantPasses(accounts, domain),
      ...tenantItems(table, kinds, pageItems),
      async remove(erasure: OpenAccountErasure, items: readonly StoredItem[]) {
        const going = items.filter((item) => !isRetained(erasure, item));
        await removeDependents?.(going);
        await removeItems(table, going);
      },
      removeOthers,
      isOver: () => context.getRemainingTimeInMillis() < RESERVE_MILLIS,
    };
    return runOpenErasures(
      {
        domain,
        open: () => openErasures(accounts),
        ...(erase && { erase }),
        eraseAccount: (erasure, at) => eraseTenant(deps, erasure, at),
        note: (...noted) => noteErased(accounts, ...noted),
        failed: ({ tenant, id, subject }, error) => {
          log.error(`${subject} not erased`, { tenant, erasure: id, error });
          countFault();
        },
      },
      now,
    );
  };
