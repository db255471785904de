import { Badge } from '../components/badge.tsx';
import type { Column } from '../components/data-table.tsx';
import { Card, Facts } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { type Management, settled } from '../management/management.ts';
import { type Page, type PageRequest, screenPath } from '../pages/screen.ts';
import { itemPath } from '../resources/resource.ts';
import { type FormState, itemPage } from '../resources/resource-form.tsx';
import { resourceList } from '../resources/resource-list.tsx';
import type { ResourceScreens } from '../resources/resource-routes.ts';
import { resourceScreens } from '../resources/resource-screens.ts';
import { type AdUnit, PlaceNames } from './ad-unit-answers.ts';
import { AD_UNITS } from './ad-unit-form.ts';

export const AD_UNIT_SCREENS: ResourceScreens = {
  ...resourceScreens(AD_UNITS, adUnitPage),
  list: (pageRequest) =>
    resourceList(pageRequest, AD_UNITS, {
      columns: columnsOf(pageRequest),
      emptyText: 'Create one to promote places in the lists of apps.',
    }),
};

const columnsOf = (pageRequest: PageRequest): readonly Column<AdUnit>[] => [
  {
    title: 'Ad unit',
    onPhone: 'first',
    cell: ({ id, name }) => (
      <a class="strong" href={itemPath(pageRequest, AD_UNITS, id)}>
        {name}
      </a>
    ),
  },
  { title: 'State', onPhone: 'second', cell: (unit) => <AdUnitState unit={unit} now={pageRequest.now} /> },
  { title: 'Dates', cell: (unit) => <Dates unit={unit} /> },
  { title: 'Creative id', isRight: true, onPhone: 'gone', cell: ({ creativeId }) => creativeId },
  { title: 'Places', isRight: true, cell: ({ placeIds }) => countOf(placeIds.length, 'place') },
];

const Dates = ({ unit: { startsAt, endsAt } }: { readonly unit: AdUnit }) => (
  <>
    {startsAt === null ? 'Any time' : <Time at={startsAt} />} to {endsAt === null ? 'no end' : <Time at={endsAt} />}
  </>
);

function AdUnitState({ unit: { startsAt, endsAt }, now }: { readonly unit: AdUnit; readonly now: number }) {
  if (startsAt !== null && now < Date.parse(startsAt)) return <Badge tone="info" icon="clock" label="Not begun" />;
  if (endsAt !== null && Date.parse(endsAt) <= now) return <Badge tone="plain" icon="pause" label="Ended" />;
  return <Badge tone="ok" icon="check" label="Running" />;
}

async function adUnitPage(pageRequest: PageRequest, unit: AdUnit, state: FormState): Promise<Page> {
  const places = await placesOf(pageRequest.management, unit);
  return itemPage(pageRequest, AD_UNITS, unit, {
    state,
    lead: (
      <>
        <AdUnitState unit={unit} now={pageRequest.now} /> <Dates unit={unit} />
      </>
    ),
    beside: (
      <>
        <Card title="Details">
          <Facts
            facts={{
              'Ad unit id': <span class="mono">{unit.id}</span>,
              'Creative id': <span class="mono">{unit.creativeId}</span>,
              Created: <Time at={unit.createdAt} />,
              Changed: <Time at={unit.updatedAt} />,
            }}
          />
        </Card>
        <Card title={countOf(unit.placeIds.length, 'place')}>
          <ul class="stack-s">
            {places.map(({ id, name }) => (
              <li key={id}>
                {name === undefined ? (
                  <span class="mono break">{id} (deleted)</span>
                ) : (
                  <a href={screenPath(pageRequest, `places/${encodeURIComponent(id)}`)}>{name}</a>
                )}
              </li>
            ))}
          </ul>
          {unit.placeIds.length > places.length && (
            <p class="muted">And {countText(unit.placeIds.length - places.length)} more.</p>
          )}
        </Card>
      </>
    ),
  });
}

/** The most places of a unit that its page names. */
const PLACES_NAMED = 50;

/** The first places, each with its name if it still exists. */
async function placesOf(management: Management, { placeIds }: AdUnit) {
  const ids = placeIds.slice(0, PLACES_NAMED);
  const places = await settled(management.get('loyalty/places', PlaceNames, { ids: ids.join() }));
  if (!places.ok) return ids.map((id) => ({ id, name: id }));
  const names = new Map(places.value.items.map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) }));
}
