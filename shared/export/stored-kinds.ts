/** An item of any table. */
export type StoredItem = Readonly<Record<string, unknown>>;

type MemberOf = (item: StoredItem) => unknown;

/** Items that the export of a tenant holds. */
export interface ExportedKind {
  /** The name of their file, without its ending. */
  readonly file: string;
  readonly tenant: MemberOf;
  /** The customer whom an item is about. @default of none */
  readonly customer?: MemberOf;
  /** Everything in the partition of a customer's item is about the same customer. @default false */
  readonly sharesPartition?: true;
  /** Members that are left out because whoever has them can use them: hashes, secrets, tokens. A dot leads into a member. */
  readonly secrets?: readonly string[];
}

/** Items that no export holds. */
interface LeftOutKind {
  readonly leftOut: string;
}

/**
 * The kinds of items in a domain's table, by the beginning of their partition keys. A new kind does not compile until it
 * says what an export does with it.
 */
export type StoredKinds<Key extends string> = { readonly [Prefix in Key]: ExportedKind | LeftOutKind };

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
