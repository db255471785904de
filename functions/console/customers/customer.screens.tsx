import { LinkButton, Submit } from '../components/button.tsx';
import type { Column } from '../components/data-table.tsx';
import { Field } from '../components/form.tsx';
import { Card, Facts } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { customerErasurePath } from '../erasures/erasure-paths.ts';
import { settled } from '../management/management.ts';
import { type Answer, type Page, type PageRequest, screenPath, seeOther } from '../pages/screen.ts';
import { checkInColumns } from '../places/check-ins.screen.tsx';
import { CheckInPage } from '../places/place-answers.ts';
import { Latest } from '../resources/latest.tsx';
import { apiItemPath, itemPath, listPath } from '../resources/resource.ts';
import { type FormState, itemPage } from '../resources/resource-form.tsx';
import { resourceList } from '../resources/resource-list.tsx';
import type { ResourceScreens } from '../resources/resource-routes.ts';
import { resourceScreens } from '../resources/resource-screens.ts';
import { SubmittedPage } from '../reviews/image-answers.ts';
import { newRecordPath, recordColumns } from '../reviews/review-queue.screen.tsx';
import { Customer } from './customer-answers.ts';
import { CUSTOMERS } from './customer-form.ts';

export const CUSTOMER_SCREENS: ResourceScreens = { ...resourceScreens(CUSTOMERS, customerPage), list: customerList };

/** All customers, or the one with this external id. An id leads to its customer. */
async function customerList(pageRequest: PageRequest): Promise<Answer> {
  const customer = (pageRequest.query.get('customer') ?? '').trim();
  if (customer !== '') {
    const byId = await settled(pageRequest.management.get(apiItemPath(CUSTOMERS, customer), Customer));
    if (byId.ok) return seeOther(itemPath(pageRequest, CUSTOMERS, byId.value.id));
    if (byId.failure.status >= 500) throw byId.failure;
  }
  return resourceList(pageRequest, CUSTOMERS, {
    columns: columnsOf(pageRequest),
    emptyText: 'Create one here, or by the management API from your own system.',
    search: {
      query: { externalId: customer === '' ? undefined : customer },
      isEmpty: customer === '',
      form: (
        <form method="get" action={listPath(pageRequest, CUSTOMERS)} class="search spaced">
          <Field name="customer" label="Customer id or external id" value={customer} type="search" />
          <Submit label="Find" />
        </form>
      ),
    },
  });
}

const columnsOf = (pageRequest: PageRequest): readonly Column<Customer>[] => [
  {
    title: 'Customer',
    onPhone: 'first',
    cell: ({ id, externalId }) => (
      <>
        <a class="strong break" href={itemPath(pageRequest, CUSTOMERS, id)}>
          {externalId ?? id}
        </a>
        {externalId !== undefined && <div class="small faint mono break">{id}</div>}
      </>
    ),
  },
  { title: 'Email', cell: ({ email }) => email },
  {
    title: 'Points',
    isRight: true,
    onPhone: 'second',
    cell: ({ availablePoints }) => countOf(availablePoints, 'point'),
  },
  { title: 'Created', isRight: true, onPhone: 'gone', cell: ({ createdAt }) => <Time at={createdAt} only="day" /> },
];

/** The lines of the records and check-ins on the page of a customer. */
const LINES = '10';

async function customerPage(pageRequest: PageRequest, customer: Customer, state: FormState): Promise<Page> {
  const { id } = customer;
  const { management } = pageRequest;
  const [records, checkIns] = await Promise.all([
    settled(management.get('image-validations', SubmittedPage, { customer: id, limit: LINES })),
    settled(management.get(`${apiItemPath(CUSTOMERS, id)}/check-ins`, CheckInPage, { limit: LINES })),
  ]);
  return itemPage(pageRequest, CUSTOMERS, customer, {
    state,
    lead: `${countText(customer.availablePoints)} points`,
    acts: (
      <LinkButton label="Submit a receipt" href={newRecordPath(pageRequest, { customer: customer.externalId ?? id })} />
    ),
    above: (
      <>
        <Latest
          title="Records"
          none="This customer has submitted nothing."
          all={screenPath(pageRequest, 'images', { customer: id })}
          items={records}
          columns={recordColumns(pageRequest)}
        />
        <Latest
          title="Check-ins"
          none="This customer has not checked in."
          all={screenPath(pageRequest, 'places/-/check-ins', { customer: id })}
          items={checkIns}
          columns={checkInColumns(pageRequest)}
        />
      </>
    ),
    beside: <Details customer={customer} />,
    removal: (
      <Card title="Erase">
        <div>
          <LinkButton kind="danger" label="Erase the customer…" href={customerErasurePath(pageRequest, id)} />
        </div>
      </Card>
    ),
  });
}

const Details = ({ customer }: { readonly customer: Customer }) => (
  <Card title="Details">
    <Facts
      facts={{
        'Customer id': <span class="mono">{customer.id}</span>,
        'Available points': countText(customer.availablePoints),
        Created: <Time at={customer.createdAt} />,
        Changed: <Time at={customer.updatedAt} />,
      }}
    />
  </Card>
);
