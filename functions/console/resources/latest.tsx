import { type Column, DataTable } from '../components/data-table.tsx';
import { Problem } from '../components/page-parts.tsx';
import type { Settled } from '../management/management.ts';

interface LatestProps<Item> {
  readonly title: string;
  readonly none: string;
  /** The address of all of them. */
  readonly all: string;
  readonly items: Settled<{ readonly items: readonly Item[] }>;
  readonly columns: readonly Column<Item>[];
}

/** The newest of a kind, with a link to all. */
export function Latest<Item extends { readonly id: string | number }>({
  title,
  none,
  all,
  items,
  columns,
}: LatestProps<Item>) {
  const rows = items.ok ? items.value.items : [];
  return (
    <section class={rows.length > 0 ? 'card' : 'card pad stack'}>
      <div class="head">
        <h2>{title}</h2>
        {rows.length > 0 && <a href={all}>All {title.toLowerCase()}</a>}
      </div>
      {!items.ok && <Problem failure={items.failure} />}
      {items.ok && rows.length === 0 && <p class="muted">{none}</p>}
      {rows.length > 0 && <DataTable caption={title} columns={columns} rows={rows} keyOf={({ id }) => String(id)} />}
    </section>
  );
}
