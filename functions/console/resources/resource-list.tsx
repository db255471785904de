import type { ComponentChildren } from 'preact';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Empty, Note, PageHead } from '../components/page-parts.tsx';
import type { Query } from '../management/management.ts';
import { type Page, type PageRequest, page } from '../pages/screen.ts';
import { articleOf, creationOf, listPath, newPath, pageOf, type Resource } from './resource.ts';

/** The lines of one page. */
const LINES = '50';

interface ListParts<Item> {
  readonly columns: readonly Column<Item>[];
  /** The purpose of one, for a list that has none. */
  readonly emptyText: string;
  /** The search that the list is narrowed by. */
  readonly search?: { readonly form: ComponentChildren; readonly query: Query; readonly isEmpty: boolean };
}

/** The list of a kind of things, newest first, with a button for a new one. */
export async function resourceList<Item extends object>(
  pageRequest: PageRequest,
  resource: Resource<Item>,
  { columns, emptyText, search }: ListParts<Item>,
): Promise<Page> {
  const { title, one, lead, apiPath } = resource;
  const cursor = pageRequest.query.get('cursor') ?? '';
  const query = { limit: LINES, cursor, ...search?.query };
  const { items, nextCursor } = await pageRequest.management.get(apiPath, pageOf(resource), query);
  const create = <LinkButton kind="primary" label={creationOf(resource).title} href={newPath(pageRequest, resource)} />;
  const isSearched = search !== undefined && !search.isEmpty;
  const hasNone = items.length === 0 && cursor === '' && !isSearched;
  return page(
    title,
    <>
      <PageHead title={title} lead={lead}>
        {!hasNone && create}
      </PageHead>
      <DeletionNote pageRequest={pageRequest} one={one} />
      {!hasNone && search?.form}
      <div class="card">
        {items.length > 0 ? (
          <DataTable caption={title} columns={columns} rows={items} keyOf={resource.idOf} />
        ) : (
          <Empty
            title={isSearched ? `No such ${one}` : `No ${one} ${cursor === '' ? 'yet' : 'here'}`}
            acts={hasNone && create}
          >
            {hasNone && emptyText}
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : listPath(pageRequest, resource)}
          older={nextCursor && listPath(pageRequest, resource, { cursor: nextCursor })}
        />
      </div>
    </>,
  );
}

/** A note that one was deleted. */
export const DeletionNote = ({ pageRequest, one }: { readonly pageRequest: PageRequest; readonly one: string }) =>
  pageRequest.query.has('deleted') && (
    <div class="spaced">
      <Note tone="ok">{`${articleOf(one) === 'an' ? 'An' : 'A'} ${one} was deleted.`}</Note>
    </div>
  );
