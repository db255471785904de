import type { AccountRemains } from '#shared/erasures/account-remains';

/** An item of any table. */
export type StoredItem = Readonly<Record<string, unknown>>;

type MemberOf = (item: StoredItem) => unknown;

/** Items of tenants. */
interface TenantKind {
  /** Returns the tenant of the item. */
  readonly tenant: MemberOf;
  /** The reason why the erasure of an account leaves the items. @default it erases them */
  readonly stays?: AccountRemains;
}

/** Items that the export of a tenant holds. */
export interface ExportedKind extends TenantKind {
  /** The name of their file, without its ending. */
  readonly file: string;
  /** The customer whom an item is about. @default of none */
  readonly customer?: MemberOf;
  /** Everything in the partition of a customer's item is about the same customer. @default false */
  readonly sharesPartition?: true;
  /** Members that are left out because whoever has them can use them: hashes, secrets, tokens. A dot leads into a member. */
  readonly secrets?: readonly string[];
}

/** Items of tenants that no export holds, and why. */
interface LeftOutKind extends TenantKind {
  readonly leftOut: string;
}

/** Items that belong to no tenant, and what they are: no export holds them, and no erasure touches them. */
interface OwnerlessKind {
  readonly ownerless: string;
}

export type StoredKind = ExportedKind | LeftOutKind | OwnerlessKind;

/**
 * The kinds of items in a domain's table, by the beginning of their partition keys. A new kind does not compile until it
 * says whose its items are, and what an export and an erasure do with them.
 */
export type StoredKinds<Key extends string> = { readonly [Prefix in Key]: StoredKind };

/** @throws if the item is of no kind, because exports and erasures would silently miss it */
export function kindOf(kinds: StoredKinds<string>, { pk }: StoredItem): StoredKind {
  const key = String(pk);
  const kind = kinds[key.includes('#') ? key.slice(0, key.indexOf('#') + 1) : key];
  if (!kind) throw new Error(`The table holds an item of an unknown kind: ${key}.`);
  return kind;
}

/** A part of the partition key: `keyPart(1)` is the tenant in `RUN#tenant#id`. */
export const keyPart =
  (at: number): MemberOf =>
  ({ pk }) =>
    String(pk).split('#')[at];

export const member =
  (name: string): MemberOf =>
  (item) =>
    item[name];

/** Most kinds have the tenant first in their key. */
export const inKey = keyPart(1);
