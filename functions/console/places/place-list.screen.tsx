import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Empty, Note, PageHead, Tabs } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { landIn } from '../map/land.ts';
import { PlaceMap } from '../map/map.tsx';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { itemPath, newPath } from '../resources/resource.ts';
import { DeletionNote } from '../resources/resource-list.tsx';
import { type MapArea, mapAreaOf } from './map-area.ts';
import type { Place } from './place-answers.ts';
import { PLACES } from './place-form.ts';

/** The lines of one page of the list beside the map. */
const LINES = 50;

export const PlaceTabs = ({
  pageRequest,
  current,
}: {
  readonly pageRequest: PageRequest;
  readonly current: string;
}) => (
  <Tabs
    label="Places and check-ins"
    current={screenPath(pageRequest, current)}
    tabs={[
      [screenPath(pageRequest, 'places'), 'Places'],
      [screenPath(pageRequest, 'places/-/check-ins'), 'Check-ins'],
    ]}
  />
);

/** The places in the view, on a map and as a list. */
export const placeList: Screen = async (pageRequest) => {
  const area = await mapAreaOf(pageRequest.management, pageRequest.query.get('box') ?? '');
  const create = <LinkButton kind="primary" label="New place" href={newPath(pageRequest, PLACES)} />;
  const hasNone = area.places.length === 0 && area.box === undefined;
  return page(
    PLACES.title,
    <>
      <PageHead title={PLACES.title} lead={PLACES.lead}>
        {!hasNone && create}
      </PageHead>
      <DeletionNote pageRequest={pageRequest} one={PLACES.one} />
      <PlaceTabs pageRequest={pageRequest} current="places" />
      {hasNone ? (
        <div class="card">
          <Empty title="No place yet" acts={create}>
            Add a place here, or import many from a file: npm run import -- --type places FILE
          </Empty>
        </div>
      ) : (
        <div class="mapped">
          <div class="card pad">
            <PlaceMap
              label="Map of the places in the list"
              view={area.view}
              land={await landIn(area.view)}
              places={area.places}
              placeHref={(id) => itemPath(pageRequest, PLACES, id)}
              boxHref={(box) => screenPath(pageRequest, 'places', { box })}
            />
          </div>
          <PlaceTable pageRequest={pageRequest} area={area} />
        </div>
      )}
    </>,
  );
};

function PlaceTable({
  pageRequest,
  area: { places, isPart, box },
}: {
  readonly pageRequest: PageRequest;
  readonly area: MapArea;
}) {
  const from = Math.min(startIn(pageRequest.query), Math.max(0, places.length - 1));
  const rows = places.slice(from, from + LINES);
  const path = (start: number) =>
    screenPath(pageRequest, 'places', { box, from: start === 0 ? undefined : String(start) });
  return (
    <div class="card">
      <div class="head">
        <h2>{isPart ? `First ${countOf(places.length, 'place')}` : countOf(places.length, 'place')}</h2>
        <span class="small muted">
          {places.length > LINES && `${countText(from + 1)} to ${countText(from + rows.length)}`}
        </span>
      </div>
      {isPart && (
        <div class="pad">
          <Note tone="info">There are more places here. Zoom in to see all of them.</Note>
        </div>
      )}
      {rows.length > 0 ? (
        <DataTable caption="Places on the map" columns={columnsOf(pageRequest)} rows={rows} keyOf={({ id }) => id} />
      ) : (
        <Empty title="No places here" acts={<a href={screenPath(pageRequest, 'places')}>Show my places</a>}>
          {isPart ? 'No match among the first places. Zoom in to search all of them.' : 'Move the map or zoom out.'}
        </Empty>
      )}
      <Pager
        newest={from === 0 ? undefined : path(0)}
        firstLabel="First"
        older={from + LINES < places.length ? path(from + LINES) : undefined}
        label="Next"
      />
    </div>
  );
}

/** Returns the number of lines before this page. */
function startIn(query: URLSearchParams): number {
  const from = query.get('from') ?? '';
  return /^\d{1,4}$/.test(from) ? Math.floor(Number(from) / LINES) * LINES : 0;
}

export const addressText = ({ address, city, state }: Pick<Place, 'address' | 'city' | 'state'>): string =>
  [address, city, state].filter((part) => part !== '').join(', ');

const columnsOf = (pageRequest: PageRequest): readonly Column<Place>[] => [
  {
    title: 'Place',
    onPhone: 'first',
    cell: (place) => (
      <>
        <a class="strong" href={itemPath(pageRequest, PLACES, place.id)}>
          {place.name}
        </a>
        <div class="small faint">{addressText(place)}</div>
      </>
    ),
  },
  { title: 'Brand', cell: ({ brand }) => brand, onPhone: 'gone' },
  { title: 'State', cell: ({ closed }) => <PlaceState isClosed={closed} />, onPhone: 'second' },
  { title: 'Points', cell: ({ points }) => countText(points), isRight: true, onPhone: 'gone' },
];

export const PlaceState = ({ isClosed }: { readonly isClosed: boolean }) =>
  isClosed ? <Badge tone="plain" icon="pause" label="Closed" /> : <Badge tone="ok" icon="check" label="Open" />;
