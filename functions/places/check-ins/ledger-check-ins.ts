import { noSuch, Refusal } from '#shared/errors';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';

/** An entry of a ledger of points, with the members that check-ins have. */
interface CheckInEntry {
  readonly id: string;
  readonly points: number;
  readonly source: string;
  readonly at: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Entry extends CheckInEntry {
  readonly position: string;
}

export interface Ledgers {
  /** Entries, newest first, and whether more may follow. */
  entries(
    customer: TenantKey,
    page: { readonly limit: number; readonly after: string | undefined },
  ): Promise<{ readonly entries: readonly Entry[]; readonly hasMore: boolean }>;
  /** Check-ins at a place, newest first. */
  placeEntries(place: TenantKey, page: PageQuery): Promise<Page<CheckInEntry & { readonly customer: string }>>;
  isCustomer(key: TenantKey): Promise<boolean>;
  /** The names of those places that exist. */
  placeNames(tenant: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A check-in as the management API shows it. */
interface CheckInView {
  readonly id: string;
  readonly time: string;
  readonly placeId: string;
  /** The current name of the place; absent if the place was deleted. */
  readonly placeName?: string | undefined;
  readonly customer: string;
  readonly app?: string | undefined;
  readonly points: number;
  /** The distance in metres between the customer's last listing and the place. */
  readonly distance?: number | undefined;
}

/** One request reads at most this many entries, because points of other sources are in the ledger too. */
const ENTRIES_MAX = 1_000;
const ENTRIES_AT_ONCE = 250;
/** DynamoDB accepts no longer keys. A position has a time and an id, about 60 characters. */
const POSITION_CHARACTERS_MAX = 200;

/**
 * The check-ins of a customer, newest first, from the ledger, which is permanent. A page may hold fewer than its limit,
 * or none, and still have a next page. An anonymous customer exists only by its entries.
 */
export async function customerCheckIns(
  ledgers: Ledgers,
  customer: TenantKey,
  { limit, cursor }: PageQuery,
): Promise<Page<CheckInView>> {
  const list = `check-ins ${customer.tenant}#${customer.id}`;
  const checkIns: Entry[] = [];
  let after = decodeCursor(list, cursor, ['entry'])?.['entry'];
  if ((after?.length ?? 0) > POSITION_CHARACTERS_MAX) {
    throw new Refusal(400, 'invalid-cursor', 'The cursor does not belong to this list.');
  }
  let read = 0;
  let hasMore = true;
  while (hasMore && checkIns.length < limit && read < ENTRIES_MAX) {
    // Most ledgers hold only check-ins, so reading one page is enough.
    const pageSize = read === 0 ? limit : Math.min(ENTRIES_AT_ONCE, ENTRIES_MAX - read);
    const page = await ledgers.entries(customer, { limit: pageSize, after });
    read += page.entries.length;
    hasMore = page.hasMore;
    for (const entry of page.entries) {
      if (checkIns.length === limit) {
        hasMore = true;
        break;
      }
      if (entry.source === 'check-in') checkIns.push(entry);
      after = entry.position;
    }
  }
  if (read === 0 && cursor === undefined && !(await ledgers.isCustomer(customer))) {
    noSuch('customer');
  }
  const nextCursor = hasMore && after !== undefined ? encodeCursor(list, { entry: after }) : undefined;
  const ofCustomer = checkIns.map((entry) => ({ ...entry, customer: customer.id }));
  return {
    items: await withPlaceNames(ledgers, customer.tenant, ofCustomer),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** The check-ins at a place, newest first. Those at a place that was deleted are listed too. */
export async function placeCheckIns(ledgers: Ledgers, place: TenantKey, query: PageQuery): Promise<Page<CheckInView>> {
  const { items, ...rest } = await ledgers.placeEntries(place, query);
  if (items.length === 0 && query.cursor === undefined) {
    const names = await ledgers.placeNames(place.tenant, [place.id]);
    if (!names.has(place.id)) noSuch('place');
  }
  return { ...rest, items: await withPlaceNames(ledgers, place.tenant, items) };
}

async function withPlaceNames(
  ledgers: Ledgers,
  tenant: string,
  entries: readonly (CheckInEntry & { readonly customer: string })[],
): Promise<CheckInView[]> {
  const placeOf = ({ details: { place } }: CheckInEntry) => String(place);
  const names = await ledgers.placeNames(tenant, [...new Set(entries.map(placeOf))]);
  return entries.map((entry) => {
    const { id, at: time, points, details, customer } = entry;
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
