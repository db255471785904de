import { isoTime } from '#shared/formats/timestamp';
import { isSettled, type OpenAccountErasure } from './erasure.ts';

/** The position from which a pass continues: the key of the last item that it has seen. */
type TableCursor = Readonly<Record<string, unknown>>;

/** One scan of the whole table of a domain, which takes several calls if the table is large. */
export interface TenantPass {
  readonly startedAt: string;
  /** Everything of the tenant before it is erased. @default nothing is */
  readonly cursor?: TableCursor | undefined;
}

/** The passes of one domain, as the erasure holds them. The writes are refused once another call has ended the pass. */
export interface TenantPasses {
  /** Returns the open pass, or a new one that begins now. Undefined if the erasure is over. */
  openPass(erasure: OpenAccountErasure, startedAt: string): Promise<TenantPass | undefined>;
  /** False if the pass is over. */
  advance(erasure: OpenAccountErasure, pass: TenantPass): Promise<boolean>;
  /** @param erasedAt notes with it that the domain holds nothing of the tenant any more */
  end(erasure: OpenAccountErasure, pass: TenantPass, erasedAt: string | undefined): Promise<void>;
}

export interface TenantErasingDeps<Item> {
  readonly passes: TenantPasses;
  /** The items of the tenant from this position of the table on, by pages. The last page has no cursor. */
  readonly pages: (
    tenant: string,
    from: TableCursor | undefined,
  ) => AsyncIterable<{ readonly items: readonly Item[]; readonly cursor?: TableCursor | undefined }>;
  /** Removes items, and what only they refer to. Idempotent; it may stop at any point. */
  readonly remove: (erasure: OpenAccountErasure, items: readonly Item[]) => Promise<void>;
  /** Removes the tenant's data outside the table. Idempotent; it may stop at any point. @default there is none */
  readonly removeOthers?: ((tenant: string) => Promise<void>) | undefined;
  /** Returns whether the call must end; the next one continues. */
  readonly isOver: () => boolean;
}

/**
 * Continues the pass of a domain through its table, and removes every item of the tenant. If a call dies, the next one
 * continues from the stored cursor, before which nothing of the tenant is left. A pass that begins an hour after the
 * request is the last one.
 */
export async function eraseTenant<Item>(
  { passes, pages, remove, removeOthers, isOver }: TenantErasingDeps<Item>,
  erasure: OpenAccountErasure,
  now: number,
): Promise<void> {
  const { tenant } = erasure;
  const pass = await passes.openPass(erasure, isoTime(now));
  if (!pass) return;
  for await (const { items, cursor } of pages(tenant, pass.cursor)) {
    await remove(erasure, items);
    if (cursor === undefined) break;
    if (!(await passes.advance(erasure, { ...pass, cursor })) || isOver()) return;
  }
  await removeOthers?.(tenant);
  const isLast = isSettled(erasure, Date.parse(pass.startedAt));
  await passes.end(erasure, pass, isLast ? isoTime(now) : undefined);
}
