import { type ExportedKind, kindOf, type StoredItem, type StoredKinds } from './stored-kinds.ts';

/** The subject of an export: a tenant, or one of its customers. */
export interface ExportSubject {
  readonly tenant: string;
  readonly customer?: string | undefined;
}

type Pages = () => AsyncIterable<readonly StoredItem[]>;

export interface ItemExport {
  readonly kinds: StoredKinds<string>;
  /** The whole table, from its beginning. */
  readonly pages: Pages;
  readonly write: (file: string, item: StoredItem) => Promise<void>;
}

/** Writes every item of the subject. Returns their partition keys, which lead to the objects in buckets. */
export async function exportItems(
  { kinds, pages, write }: ItemExport,
  subject: ExportSubject,
): Promise<ReadonlySet<string>> {
  const shared = subject.customer === undefined ? new Set<string>() : await partitionsOf({ kinds, pages }, subject);
  const exported = new Set<string>();
  for await (const items of pages()) {
    for (const item of items) {
      const kind = exportedKind(kinds, item);
      if (kind?.tenant(item) !== subject.tenant) continue;
      const pk = String(item['pk']);
      if (!isAbout(kind, item, subject) && !shared.has(pk)) continue;
      exported.add(pk);
      await write(kind.file, withoutSecrets(item, kind.secrets ?? []));
    }
  }
  return exported;
}

/** Partitions whose items are all about the customer, though only one of them says so. */
async function partitionsOf({ kinds, pages }: Pick<ItemExport, 'kinds' | 'pages'>, subject: ExportSubject) {
  const partitions = new Set<string>();
  for await (const items of pages()) {
    for (const item of items) {
      const kind = exportedKind(kinds, item);
      if (kind?.sharesPartition && kind.tenant(item) === subject.tenant && isAbout(kind, item, subject)) {
        partitions.add(String(item['pk']));
      }
    }
  }
  return partitions;
}

const isAbout = ({ customer: customerOf }: ExportedKind, item: StoredItem, { customer }: ExportSubject) =>
  customer === undefined || customerOf?.(item) === customer;

/** Undefined if no export holds the kind. */
function exportedKind(kinds: StoredKinds<string>, item: StoredItem): ExportedKind | undefined {
  const kind = kindOf(kinds, item);
  return 'file' in kind ? kind : undefined;
}

function withoutSecrets(item: StoredItem, secrets: readonly string[]): StoredItem {
  return secrets.reduce((rest, path) => without(rest, path.split('.')), item);
}

function without(item: StoredItem, [name = '', ...deeper]: readonly string[]): StoredItem {
  const { [name]: value, ...rest } = item;
  if (deeper.length === 0 || typeof value !== 'object' || value === null) return rest;
  return { ...rest, [name]: without(value as StoredItem, deeper) };
}

/** An item as a line of JSON: bytes in Base64, sets as arrays. */
export const lineOf = (item: object): string => `${JSON.stringify(item, plain)}\n`;

/** The member itself and not the value that is passed: of a `Buffer` that is what its own `toJSON` makes. */
function plain(this: StoredItem, name: string): unknown {
  const value: unknown = this[name];
  if (value instanceof Set) return [...value];
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
