import { Refusal } from '#shared/errors';
import { cursorAt, positionOf } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';

/** An entry of a customer's ledger of points, as far as it tells of a check-in. */
interface Entry {
  readonly id: string;
  readonly points: number;
  readonly source: string;
  readonly at: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly position: string;
}

export interface Ledgers {
  /** Newest first, and whether others may follow. */
  entries(
    customer: TenantKey,
    page: { readonly limit: number; readonly after: string | undefined },
  ): Promise<{ readonly entries: readonly Entry[]; readonly hasMore: boolean }>;
  isCustomer(key: TenantKey): Promise<boolean>;
  /** The names of those of these places that there are. */
  placeNames(tenant: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A check-in as the management API shows it. */
interface ShownCheckIn {
  readonly id: string;
  readonly time: string;
  readonly placeId: string;
  /** As the place is called now; absent if it was deleted. */
  readonly placeName?: string | undefined;
  readonly customer: string;
  readonly app?: string | undefined;
  readonly points: number;
  /** Metres, of the customer's last list from the place. */
  readonly distance?: number | undefined;
}

/** Entries that one request reads: points of other sources stand among those of check-ins. */
const ENTRIES_MAX = 1_000;
const ENTRIES_AT_ONCE = 250;
/** The table takes no longer keys; a position has its time and id, some 60. */
const POSITION_CHARACTERS_MAX = 200;

/**
 * The check-ins of a customer, newest first, from the ledger, which keeps them for good. A page may hold fewer than its
 * limit, or none, and still have a next one. An anonymous customer is known by its entries alone.
 */
export async function customerCheckIns(
  ledgers: Ledgers,
  customer: TenantKey,
  { limit, cursor }: PageQuery,
): Promise<Page<ShownCheckIn>> {
  const list = `check-ins ${customer.tenant}#${customer.id}`;
  const found: Entry[] = [];
  let after = positionOf(list, cursor, ['entry'])?.['entry'];
  if ((after?.length ?? 0) > POSITION_CHARACTERS_MAX) {
    throw new Refusal(400, 'invalid-cursor', 'The cursor does not belong to this list.');
  }
  let read = 0;
  let hasMore = true;
  while (hasMore && found.length < limit && read < ENTRIES_MAX) {
    // Most ledgers hold check-ins alone, of which no more than the page are wanted.
    const wanted = read === 0 ? limit : Math.min(ENTRIES_AT_ONCE, ENTRIES_MAX - read);
    const page = await ledgers.entries(customer, { limit: wanted, after });
    read += page.entries.length;
    hasMore = page.hasMore;
    for (const entry of page.entries) {
      if (found.length === limit) {
        hasMore = true;
        break;
      }
      if (entry.source === 'check-in') found.push(entry);
      after = entry.position;
    }
  }
  if (read === 0 && cursor === undefined && !(await ledgers.isCustomer(customer))) {
    throw new Refusal(404, 'not-found', 'There is no such customer.');
  }
  const nextCursor = hasMore && after !== undefined ? cursorAt(list, { entry: after }) : undefined;
  return { items: await shown(ledgers, customer, found), ...(nextCursor !== undefined && { nextCursor }) };
}

async function shown(
  ledgers: Ledgers,
  { tenant, id: customer }: TenantKey,
  entries: readonly Entry[],
): Promise<ShownCheckIn[]> {
  const placeOf = ({ details: { place } }: Entry) => String(place);
  const names = await ledgers.placeNames(tenant, [...new Set(entries.map(placeOf))]);
  return entries.map((entry) => {
    const { id, at: time, points, details } = entry;
    const { app, distance } = details;
    const placeId = placeOf(entry);
    return {
      id,
      time,
      placeId,
      placeName: names.get(placeId),
      customer,
      ...(typeof app === 'string' && { app }),
      points,
      ...(typeof distance === 'number' && { distance }),
    };
  });
}
