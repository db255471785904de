import { Badge } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Field } from '../components/form.tsx';
import { Empty, Note, PageHead, Tabs } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { landIn } from '../map/land.ts';
import { PlaceMap } from '../map/map.tsx';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { itemPath, newPath } from '../resources/resource.ts';
import { DeletionNote } from '../resources/resource-list.tsx';
import { type MapArea, mapAreaOf, type NamedArea, namedAreaOf } from './map-area.ts';
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

/** The places in the view, or those with a name, on a map and as a list. */
export const placeList: Screen = async (pageRequest) => {
  const { management, query } = pageRequest;
  const name = (query.get('name') ?? '').trim().slice(0, 200);
  const named = name === '' ? undefined : await namedAreaOf(management, name, query.get('cursor') ?? '');
  const area = named ?? (await mapAreaOf(management, query.get('box') ?? ''));
  const create = <LinkButton key="create" kind="primary" label="New place" href={newPath(pageRequest, PLACES)} />;
  const importFile = <LinkButton key="import" label="Import a file" href={screenPath(pageRequest, 'imports/-/new')} />;
  const hasNone = area.places.length === 0 && area.box === undefined && !named;
  return page(
    PLACES.title,
    <>
      <PageHead title={PLACES.title} lead={PLACES.lead}>
        {!hasNone && importFile}
        {!hasNone && create}
      </PageHead>
      <DeletionNote pageRequest={pageRequest} one={PLACES.one} />
      <PlaceTabs pageRequest={pageRequest} current="places" />
      {hasNone ? (
        <div class="card">
          <Empty title="No place yet" acts={[create, importFile]}>
            Add a place here, or import many from a file.
          </Empty>
        </div>
      ) : (
        <>
          <form method="get" action={screenPath(pageRequest, 'places')} class="search spaced">
            <Field name="name" label="Name" value={name} placeholder="Words of the name" type="search" />
            <Submit label="Find" />
          </form>
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
            {named ? (
              <NamedTable pageRequest={pageRequest} name={name} area={named} />
            ) : (
              <PlaceTable pageRequest={pageRequest} area={area} />
            )}
          </div>
        </>
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
        <DataTable
          caption="Places on the map"
          columns={columnsOf(pageRequest, rows)}
          rows={rows}
          keyOf={({ id }) => id}
        />
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

interface NamedTableProps {
  readonly pageRequest: PageRequest;
  readonly name: string;
  readonly area: NamedArea;
}

function NamedTable({ pageRequest, name, area: { places, nextCursor } }: NamedTableProps) {
  const isFirst = !pageRequest.query.has('cursor');
  const isWhole = isFirst && nextCursor === undefined;
  return (
    <div class="card">
      <div class="head">
        <h2>{isWhole ? countOf(places.length, 'match', 'matches') : 'Matches'}</h2>
        <a class="small" href={screenPath(pageRequest, 'places')}>
          Show all places
        </a>
      </div>
      {places.length > 0 ? (
        <DataTable
          caption="Places found"
          columns={columnsOf(pageRequest, places)}
          rows={places}
          keyOf={({ id }) => id}
        />
      ) : (
        <Empty title={nextCursor === undefined ? 'No place has this name' : 'No match so far'}>
          {nextCursor === undefined
            ? 'A match has all words in its name.'
            : 'Keep searching to look through older places.'}
        </Empty>
      )}
      <Pager
        newest={isFirst ? undefined : screenPath(pageRequest, 'places', { name })}
        firstLabel="First"
        older={nextCursor && screenPath(pageRequest, 'places', { name, cursor: nextCursor })}
        label={places.length > 0 ? 'Next' : 'Keep searching'}
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

const BRAND: Column<Place> = { title: 'Brand', cell: ({ brand }) => brand, onPhone: 'gone' };

const columnsOf = (pageRequest: PageRequest, places: readonly Place[]): readonly Column<Place>[] => [
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
  ...(places.some(({ brand }) => brand !== '') ? [BRAND] : []),
  { title: 'State', cell: ({ closed }) => <PlaceState isClosed={closed} />, onPhone: 'second' },
  { title: 'Points', cell: ({ points }) => countOf(points, 'point'), isRight: true, onPhone: 'second' },
];

export const PlaceState = ({ isClosed }: { readonly isClosed: boolean }) =>
  isClosed ? <Badge tone="plain" icon="pause" label="Closed" /> : <Badge tone="ok" icon="check" label="Open" />;
