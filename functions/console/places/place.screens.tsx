import { Card, Facts } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { GROUND, landIn } from '../map/land.ts';
import { PlaceMap } from '../map/map.tsx';
import { type Box, boxOf, boxText, viewAround, viewOf } from '../map/map-view.ts';
import { type Page, type PageRequest, screenPath } from '../pages/screen.ts';
import { itemPath } from '../resources/resource.ts';
import { type FormState, itemPage } from '../resources/resource-form.tsx';
import type { ResourceScreens } from '../resources/resource-routes.ts';
import { resourceScreens } from '../resources/resource-screens.ts';
import type { Place } from './place-answers.ts';
import { checkInsAt, PlaceCheckIns } from './place-check-ins.tsx';
import { PLACES } from './place-form.ts';
import { addressText, PlaceState, placeList } from './place-list.screen.tsx';

export const PLACE_SCREENS: ResourceScreens = { ...resourceScreens(PLACES, placePage), list: placeList };

async function placePage(pageRequest: PageRequest, place: Place, state: FormState): Promise<Page> {
  const view = viewOf(boxAt(place, REGION_DEGREES));
  const { acceptedDistanceMeters: radius } = place;
  const near = viewAround(place, Math.max(NEAR_METERS, 3 * (radius ?? 0)));
  const [land, checkIns] = await Promise.all([landIn(view), checkInsAt(pageRequest, place.id)]);
  const placeHref = (id: string) => itemPath(pageRequest, PLACES, id);
  return itemPage(pageRequest, PLACES, place, {
    state,
    lead: (
      <>
        <PlaceState isClosed={place.closed} /> {addressText(place)}
      </>
    ),
    beside: (
      <>
        <Card title="Location">
          <PlaceMap
            isNarrow
            label={`Surroundings of ${place.name}`}
            view={near}
            land={GROUND}
            places={[place]}
            placeHref={placeHref}
            circle={radius === undefined ? undefined : { ...place, meters: radius }}
          />
          <p class="hint">
            {radius === undefined
              ? "The radius of the customer's app applies."
              : `Customers can check in within ${countText(radius)} m, the circle.`}
          </p>
          <a href={screenPath(pageRequest, 'places', { box: boxText(boxOf(near)) })}>Places nearby</a>
          <PlaceMap
            isNarrow
            label={`Region around ${place.name}`}
            view={view}
            land={land}
            places={[place]}
            placeHref={placeHref}
          />
        </Card>
        <Card title="Details">
          <Facts
            facts={{
              Id: <span class="mono">{place.id}</span>,
              'Venue id': <span class="mono">{place.venueId}</span>,
              Created: <Time at={place.createdAt} />,
              Changed: <Time at={place.updatedAt} />,
            }}
          />
        </Card>
      </>
    ),
    below: <PlaceCheckIns pageRequest={pageRequest} id={place.id} checkIns={checkIns} />,
  });
}

/**
 * The size of the map: on the map of a region, unlike that of a town, a wrong sign or swapped coordinates are obvious.
 */
const REGION_DEGREES = 12;
const NEAR_METERS = 1_000;

function boxAt({ latitude, longitude }: Place, degrees: number): Box {
  const turned = (east: number) => (east > 180 ? east - 360 : east < -180 ? east + 360 : east);
  return {
    west: turned(longitude - degrees),
    east: turned(longitude + degrees),
    south: Math.max(-90, latitude - degrees / 3),
    north: Math.min(90, latitude + degrees / 3),
  };
}
