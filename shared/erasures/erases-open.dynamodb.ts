import type { StoredItem, StoredKinds } from '#shared/export/stored-kinds';
import type { Table } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { eraseOpen } from './erase-open.ts';
import { eraseTenant } from './erase-tenant.ts';
import type { ErasingDomain, OpenAccountErasure, OpenErasure } from './erasure.ts';
import { noteErased, openErasures } from './erasure-items.dynamodb.ts';
import { removeItems, tenantItems } from './tenant-items.dynamodb.ts';
import { tenantPasses } from './tenant-passes.dynamodb.ts';

/** The data that a domain holds of tenants and customers. */
export interface ErasedDomain {
  readonly domain: ErasingDomain;
  readonly table: Table;
  readonly kinds: StoredKinds<string>;
  /** Erases what the domain holds of a customer. @default nothing */
  readonly erase?: (erasure: OpenErasure) => Promise<void>;
  /** Items of the tenant that stay although their kind goes. @default none */
  readonly isLeft?: (erasure: OpenAccountErasure, item: StoredItem) => boolean;
  /** Removes what only these items lead to, before they go themselves. @default nothing */
  readonly removeBehind?: (items: readonly StoredItem[]) => Promise<void>;
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

/** Does the part of a domain in all erasures that are under way. @param accounts the table that they stand in */
export const erasesOpenIn =
  (
    accounts: Table,
    { domain, table, kinds, erase, isLeft = () => false, removeBehind, removeOthers, pageItems }: ErasedDomain,
  ) =>
  (now: number, context: Remaining): Promise<void> => {
    const deps = {
      passes: tenantPasses(accounts, domain),
      ...tenantItems(table, kinds, pageItems),
      async remove(erasure: OpenAccountErasure, items: readonly StoredItem[]) {
        const going = items.filter((item) => !isLeft(erasure, item));
        await removeBehind?.(going);
        await removeItems(table, going);
      },
      removeOthers,
      isOver: () => context.getRemainingTimeInMillis() < RESERVE_MILLIS,
    };
    return eraseOpen(
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
