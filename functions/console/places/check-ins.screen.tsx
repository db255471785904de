import { Submit } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Field } from '../components/form.tsx';
import { Empty, PageHead, Problem } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { type Management, type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { itemPath } from '../resources/resource.ts';
import { type CheckIn, CheckInPage, CustomerIds } from './place-answers.ts';
import { PLACES } from './place-form.ts';
import { PlaceTabs } from './place-list.screen.tsx';

type CheckInResult = Settled<{ readonly items: readonly CheckIn[]; readonly nextCursor?: string | undefined }>;

/** The check-ins of one customer, looked up by our id or the external id. */
export const checkInList: Screen = async (pageRequest) => {
  const customer = (pageRequest.query.get('customer') ?? '').trim();
  const cursor = pageRequest.query.get('cursor') ?? '';
  const result = customer === '' ? undefined : await checkInsOf(pageRequest.management, customer, cursor);
  const path = (to: string | undefined) => screenPath(pageRequest, 'places/-/check-ins', { customer, cursor: to });
  return page(
    'Check-ins',
    <>
      <PageHead
        title="Check-ins"
        lead="Check-ins of one customer, newest first."
        under={[screenPath(pageRequest, 'places'), 'Places']}
      />
      <PlaceTabs pageRequest={pageRequest} current="places/-/check-ins" />
      <div class="stack">
        <form method="get" action={screenPath(pageRequest, 'places/-/check-ins')} class="search">
          <Field name="customer" label="Customer id or external id" value={customer} type="search" />
          <Submit label="Show" />
        </form>
        {result && !result.ok && result.failure.status !== 404 ? (
          <Problem failure={result.failure} />
        ) : (
          <div class="card">
            <CheckInTable
              pageRequest={pageRequest}
              checkIns={result?.ok ? result.value.items : undefined}
              customer={customer}
            />
            <Pager
              newest={cursor === '' ? undefined : path(undefined)}
              older={result?.ok && result.value.nextCursor ? path(result.value.nextCursor) : undefined}
            />
          </div>
        )}
      </div>
    </>,
  );
};

async function checkInsOf(management: Management, customer: string, cursor: string): Promise<CheckInResult> {
  const of = (id: string) =>
    settled(
      management.get(`loyalty/customers/${encodeURIComponent(id)}/check-ins`, CheckInPage, { limit: '50', cursor }),
    );
  const own = await of(customer);
  if (own.ok || own.failure.status !== 404) return own;
  const named = await settled(management.get('loyalty/customers', CustomerIds, { externalId: customer }));
  const id = named.ok ? named.value.items[0]?.id : undefined;
  return id === undefined ? own : of(id);
}

interface ListedProps {
  readonly pageRequest: PageRequest;
  readonly checkIns: readonly CheckIn[] | undefined;
  readonly customer: string;
}

function CheckInTable({ pageRequest, checkIns, customer }: ListedProps) {
  if (customer === '') {
    return (
      <Empty title="Whose check-ins?">
        Enter a customer. To receive all check-ins as they happen, add a webhook rule of the module Places.
      </Empty>
    );
  }
  if (checkIns === undefined) return <Empty title="No such customer">There is no customer {customer}.</Empty>;
  if (checkIns.length === 0) return <Empty title="No check-in">This customer has not checked in.</Empty>;
  return (
    <DataTable
      caption={`Check-ins of ${customer}`}
      columns={checkInColumns(pageRequest)}
      rows={checkIns}
      keyOf={({ id }) => id}
    />
  );
}

export const checkInColumns = (pageRequest: PageRequest): readonly Column<CheckIn>[] => [
  {
    title: 'Place',
    onPhone: 'first',
    cell: ({ placeId, placeName }) =>
      placeName === undefined ? (
        <span title={placeId}>{placeId} (deleted)</span>
      ) : (
        <a class="strong" href={itemPath(pageRequest, PLACES, placeId)}>
          {placeName}
        </a>
      ),
  },
  { title: 'App', cell: ({ app }) => app ?? '–', onPhone: 'gone' },
  {
    title: 'Distance',
    cell: ({ distance }) => (distance === undefined ? '–' : `${countText(Math.round(distance))} m`),
    isRight: true,
    onPhone: 'first',
  },
  { title: 'Points', cell: ({ points }) => countText(points), isRight: true, onPhone: 'second' },
  { title: 'Time', cell: ({ time }) => <Time at={time} />, isRight: true, onPhone: 'second' },
];
