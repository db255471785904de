/**
 * What DynamoDB charges for a write, by its documented rules, from the item before and after it. Local engines report
 * figures of their own; these are computed from the items, so that each unit can be accounted for.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type StoredItem = Readonly<Record<string, AttributeValue>>;

export interface IndexShape {
  readonly name: string;
  /** Names of its partition and sort key. */
  readonly keys: readonly string[];
  /** What it holds beside its own keys and those of the table. */
  readonly projected: 'all' | readonly string[];
}

const WRITE_BYTES = 1024;
const READ_BYTES = 4096;

/** Names and values, in UTF-8. Numbers take a byte for two digits and one more; lists and maps 3, and 1 for each member. */
export function itemBytes(item: StoredItem): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.length;
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + valueBytes(one), 3);
  if (value.M !== undefined) return Object.values(value.M).length + 3 + itemBytes(value.M);
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  throw new Error(`Bytes of ${JSON.stringify(value)} are not known.`);
}

/** Zeros at both ends are not stored; a sign takes a byte. */
function numberBytes(text: string): number {
  const digits = text.replace(/^-/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
  return Math.ceil(digits / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}

const units = (bytes: number, of: number) => Math.max(1, Math.ceil(bytes / of));

/** Strongly consistent. A missing item is charged like the smallest one. */
export const readUnits = (item: StoredItem | undefined) => units(item ? itemBytes(item) : 0, READ_BYTES);

/** A query is charged for all that it reads, twoDecimals up once. */
export const queryUnits = (items: readonly StoredItem[]) =>
  units(
    items.reduce((sum, item) => sum + itemBytes(item), 0),
    READ_BYTES,
  );

/** Of the table alone: by the larger of both items, and by the stored one when a condition refuses. */
export const writeUnits = (before: StoredItem | undefined, after: StoredItem | undefined) =>
  units(Math.max(before ? itemBytes(before) : 0, after ? itemBytes(after) : 0), WRITE_BYTES);

/** Of one index: nothing when its entry stays as it is, and two writes when the entry moves. */
export function indexWriteUnits(
  index: IndexShape,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): number {
  const [old, now] = [before && entryOf(index, before), after && entryOf(index, after)];
  const unitsOf = (entry: StoredItem) => units(itemBytes(entry), WRITE_BYTES);
  if (!old) return now ? unitsOf(now) : 0;
  if (!now) return unitsOf(old);
  if (index.keys.some((key) => !isSame(old[key], now[key]))) return unitsOf(old) + unitsOf(now);
  return isSame(old, now) ? 0 : Math.max(unitsOf(old), unitsOf(now));
}

/** Undefined for an item that lacks a key of the index and so is not in it. */
function entryOf({ keys, projected }: IndexShape, item: StoredItem): StoredItem | undefined {
  if (keys.some((key) => item[key] === undefined)) return undefined;
  const held = new Set(projected === 'all' ? Object.keys(item) : ['pk', 'sk', ...keys, ...projected]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => held.has(name)));
}

const isSame = (one: unknown, other: unknown) => canonical(one) === canonical(other);

/** The order of names in an item or a map means nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !ArrayBuffer.isView(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';
