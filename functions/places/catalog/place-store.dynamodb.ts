import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import type { IntegerIds } from '#shared/table/integer-ids';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import { getItem, type Item, listItems, passingItems, type Table } from '#shared/table/table.dynamodb';
import { assignment, type Condition, putItem, updateItem } from '#shared/table/writes.dynamodb';
import { positionOf } from '../geo/cells.ts';
import { CELL, PLACES } from '../table-keys.ts';
import type { Place, PlaceInput, StoredPlace } from './place.ts';
import { placeIn, placeKey, placesById } from './place-items.dynamodb.ts';
import { type PlaceWrites, timeOfVersion } from './place-writes.ts';

/**
 * The tombstone of a deleted place is kept for this long, so that a late write of an older version does not restore it.
 */
const TOMBSTONE_DAYS = 30;

const listOf = (tenant: string) => `${PLACES}${tenant}`;

export const placeStore = (table: Table, venueIds: IntegerIds = tableIds(table)) => ({
  /** The place and the version that a change of it must name. */
  async byId(key: TenantKey): Promise<StoredPlace | undefined> {
    const item = await getItem(table, placeKey(key));
    const place = item && placeIn(item);
    return place && { place, version: String(item['version']) };
  },

  /** Reads places as `placesById` does. */
  byIds: (tenant: string, ids: readonly string[]): Promise<Place[]> => placesById(table, tenant, ids),

  /** The new place; undefined if the id exists. */
  add: (place: PlaceInput, version: string): Promise<Place | undefined> =>
    write({ table, venueIds }, place, { version, when: none(version) }),

  /** The changed place; undefined if the place is no longer in version `after`. */
  change: (place: PlaceInput, versions: Versions): Promise<Place | undefined> =>
    write({ table, venueIds }, place, { version: versions.version, when: unchanged(versions) }),

  /** False if the place is no longer in version `after`. */
  remove: (key: TenantKey, versions: Versions): Promise<boolean> =>
    storeTombstone(table, key, { version: versions.version, when: unchanged(versions) }),

  async list(tenant: string, page: PageQuery): Promise<Page<Place>> {
    const { items, ...rest } = await listItems(table, listOf(tenant), page);
    return { ...rest, items: items.flatMap((item) => placeIn(item) ?? []) };
  },

  /** A page of the places whose names have all words of `name`; it may be short and still have a next page. */
  async named(tenant: string, name: string, page: PageQuery): Promise<Page<Place>> {
    const words = searchable(name).split(/\s+/);
    const passes = ({ name: of }: Item) => words.every((word) => searchable(String(of)).includes(word));
    const { items, ...rest } = await passingItems(table, listOf(tenant), page, { passes });
    return { ...rest, items: items.flatMap((item) => placeIn(item) ?? []) };
  },
});

/** Returns a name without case and accents, so that `cafe` finds `Café`. */
const searchable = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export const placeWrites = (table: Table, venueIds: IntegerIds = tableIds(table)): PlaceWrites => ({
  async store(place, version) {
    await write({ table, venueIds }, place, { version, when: newest(version) });
  },
  async remove(key, version) {
    await storeTombstone(table, key, { version, when: newest(version) });
  },
});

/** The version of a write, and that of the place that it changes. */
interface Versions {
  readonly version: string;
  readonly after: string;
}

interface Writing {
  readonly version: string;
  readonly when: Condition;
}

/**
 * Every single write has its own version. A write that meets its own version has already succeeded: the SDK repeats a
 * call whose answer was lost.
 */
const none = (version: string): Condition => ({
  condition: 'attribute_not_exists(#version) OR #deleted = :true OR #version = :own',
  values: { true: true, own: version },
});
const unchanged = ({ version, after }: Versions): Condition => ({
  condition: '#version = :after OR #version = :own',
  values: { after, own: version },
});
const newest = (version: string): Condition => ({
  condition: 'attribute_not_exists(#version) OR #version <= :newest',
  values: { newest: version },
});

/** The place after the write; undefined if the condition failed. */
async function write(
  { table, venueIds }: { readonly table: Table; readonly venueIds: IntegerIds },
  place: PlaceInput,
  { version, when }: Writing,
): Promise<Place | undefined> {
  const { tenant, id } = place;
  const sequence = `${tenant}#venue`;
  const venueId = await venueIds.next(sequence);
  const { cell, leaf } = positionOf(place);
  const at = timeOfVersion(version);
  const index = { cell: `${CELL}${tenant}#${cell}`, leaf: `${leaf}#${id}`, list: listOf(tenant) };
  const attributes = { acceptedDistanceMeters: undefined, ...place, ...index, version, updatedAt: at };
  // A replaced place keeps its creation time and its number.
  const initial = { createdAt: at, position: `${at}#${id}`, venueId };
  const { change, values } = assignment({ ...attributes, deleted: undefined, ttl: undefined }, initial);
  const outcome = await updateItem(table, placeKey(place), {
    change,
    condition: when.condition,
    values: { ...values, ...when.values },
    returns: 'ALL_NEW',
  });
  const stored = outcome.done ? placeIn(outcome.item) : undefined;
  // An earlier attempt of a refused write may have stored the number.
  if (stored && stored.venueId !== venueId) venueIds.giveBack(sequence, venueId);
  return stored;
}

/** Replaces a place by its tombstone; false if the condition failed. */
async function storeTombstone(table: Table, key: TenantKey, { version, when }: Writing): Promise<boolean> {
  const ttl = Math.floor(Date.parse(timeOfVersion(version)) / 1_000) + TOMBSTONE_DAYS * 86_400;
  return (await putItem(table, { ...placeKey(key), deleted: true, version, ttl }, when)).done;
}
