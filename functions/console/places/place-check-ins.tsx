import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Problem } from '../components/page-parts.tsx';
import { type Settled, settled } from '../management/management.ts';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import { apiItemPath, itemPath } from '../resources/resource.ts';
import { checkInColumns } from './check-ins.screen.tsx';
import { type CheckIn, CheckInPage } from './place-answers.ts';
import { PLACES } from './place-form.ts';

type CheckInsOfPlace = Settled<{ readonly items: readonly CheckIn[]; readonly nextCursor?: string | undefined }>;

const PAGE = '20';

/** A page of the check-ins at a place, newest first. Without them, the place is shown all the same. */
export const checkInsAt = ({ management, query }: PageRequest, id: string): Promise<CheckInsOfPlace> =>
  settled(
    management.get(`${apiItemPath(PLACES, id)}/check-ins`, CheckInPage, {
      limit: PAGE,
      cursor: query.get('cursor') ?? '',
    }),
  );

interface PlaceCheckInsProps {
  readonly pageRequest: PageRequest;
  readonly id: string;
  readonly checkIns: CheckInsOfPlace;
}

export function PlaceCheckIns({ pageRequest, id, checkIns }: PlaceCheckInsProps) {
  const own = itemPath(pageRequest, PLACES, id);
  const isFirst = (pageRequest.query.get('cursor') ?? '') === '';
  return (
    <section class="card" id="check-ins">
      <div class="head">
        <h2>Check-ins</h2>
      </div>
      {checkIns.ok ? (
        <>
          {checkIns.value.items.length > 0 ? (
            <DataTable
              caption="Check-ins at this place"
              columns={columnsOf(pageRequest)}
              rows={checkIns.value.items}
              keyOf={(checkIn) => checkIn.id}
            />
          ) : (
            <p class="pad muted">{isFirst ? 'Nobody has checked in here yet.' : 'There are no older check-ins.'}</p>
          )}
          <Pager
            newest={isFirst ? undefined : `${own}#check-ins`}
            older={
              checkIns.value.nextCursor &&
              `${own}?${new URLSearchParams({ cursor: checkIns.value.nextCursor }).toString()}#check-ins`
            }
          />
        </>
      ) : (
        <div class="pad">
          <Problem failure={checkIns.failure} />
        </div>
      )}
    </section>
  );
}

const columnsOf = (pageRequest: PageRequest): readonly Column<CheckIn>[] => [
  {
    title: 'Customer',
    class: 'mono clip',
    onPhone: 'first',
    cell: ({ customer }) => (
      <a href={screenPath(pageRequest, 'places/-/check-ins', { customer })} title={customer}>
        {customer}
      </a>
    ),
  },
  ...checkInColumns(pageRequest).slice(1),
];
