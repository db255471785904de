import { Submit } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Field } from '../components/form.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Empty, Note, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { type Management, settled } from '../management/management.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { CustomerId, CustomerIds, Erasure, ErasurePage } from './erasure-answers.ts';
import { ErasureProgress, ErasureRemains, ErasureStatus } from './erasure-parts.tsx';
import { customerErasurePath, erasuresPath } from './erasure-paths.ts';

/** Erasures of customers, newest first. */
export const erasureList: Screen = (pageRequest) => listPage(pageRequest, undefined);

/** Leads to the question for the customer with this id or external id. */
export const customerToErase: Screen = async (pageRequest) => {
  const customer = (pageRequest.query.get('customer') ?? '').trim();
  const id = customer === '' ? undefined : await customerId(pageRequest.management, customer);
  if (id !== undefined) return seeOther(customerErasurePath(pageRequest, id));
  return listPage(
    pageRequest,
    customer === '' ? 'Enter an id or an external id.' : `There is no customer ${customer}.`,
  );
};

async function customerId(management: Management, customer: string): Promise<string | undefined> {
  const own = await settled(management.get(`loyalty/customers/${encodeURIComponent(customer)}`, CustomerId));
  if (own.ok) return own.value.id;
  if (own.failure.status !== 404) throw own.failure;
  const named = await management.get('loyalty/customers', CustomerIds, { externalId: customer });
  return named.items[0]?.id;
}

async function listPage(pageRequest: PageRequest, wrong: string | undefined): Promise<Page> {
  const cursor = pageRequest.query.get('cursor') ?? '';
  const { items, nextCursor } = await pageRequest.management.get('erasures', ErasurePage, { limit: '50', cursor });
  return page(
    'Erasures',
    <>
      <PageHead title="Erasures" lead="Customers whose data is erased, newest first." />
      <form method="get" action={screenPath(pageRequest, 'erasures/new')} class="search spaced">
        <Field
          name="customer"
          label="Customer: id or external id"
          value={pageRequest.query.get('customer') ?? ''}
          type="search"
        />
        <Submit label="Erase…" />
      </form>
      {wrong !== undefined && (
        <div class="spaced">
          <Note tone="warn">{wrong}</Note>
        </div>
      )}
      <div class="card">
        {items.length > 0 ? (
          <DataTable caption="Erasures" columns={columnsOf(pageRequest)} rows={items} keyOf={({ id }) => id} />
        ) : (
          <Empty title="No erasure yet">
            Erasures requested here or through the API appear here with their status.
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : erasuresPath(pageRequest)}
          older={nextCursor && screenPath(pageRequest, 'erasures', { cursor: nextCursor })}
        />
      </div>
    </>,
    { status: wrong === undefined ? 200 : 404 },
  );
}

const columnsOf = (pageRequest: PageRequest): readonly Column<Erasure>[] => [
  {
    title: 'Customer',
    class: 'mono',
    onPhone: 'first',
    cell: ({ id, customer }) => (
      <a class="strong" href={screenPath(pageRequest, `erasures/${encodeURIComponent(id)}`)}>
        {customer ?? 'Erased customer'}
      </a>
    ),
  },
  { title: 'Status', cell: (erasure) => <ErasureStatus erasure={erasure} />, onPhone: 'second' },
  { title: 'Requested', cell: ({ requestedAt }) => <Time at={requestedAt} />, isRight: true, onPhone: 'first' },
  { title: 'Completed', cell: ({ completedAt }) => <Time at={completedAt} />, isRight: true, onPhone: 'second' },
];

/** The page of one erasure: its progress, and what remains. */
export const erasureScreen: Screen = async (pageRequest) => {
  const id = pageRequest.path['id'] ?? '';
  const erasure = await pageRequest.management.get(`erasures/${encodeURIComponent(id)}`, Erasure);
  const isOver = erasure.status === 'completed';
  const progress = { content: <ErasureProgress erasure={erasure} />, isOver };
  return page(
    'Erasure',
    <>
      <PageHead
        title="Erasure of a customer"
        lead={<span class="mono">{erasure.customer ?? erasure.id}</span>}
        under={[erasuresPath(pageRequest), 'Erasures']}
      />
      <div class="stack">
        <Live name="progress" part={progress} saysState />
        <FollowLink isOver={isOver} />
        <ErasureRemains erasure={erasure} />
      </div>
    </>,
    { live: { progress } },
  );
};
