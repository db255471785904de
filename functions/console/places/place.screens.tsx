import * as z from 'zod/mini';
import { Saved } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { Confirm } from '../components/confirm.tsx';
import { PostForm } from '../components/form.tsx';
import { Facts, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { settled } from '../management/management.ts';
import { landIn } from '../map/land.ts';
import { PlaceMap } from '../map/map.tsx';
import { type Box, boxText, viewOf } from '../map/map-view.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { Place } from './place-answers.ts';
import { checkInsAt, PlaceCheckIns } from './place-check-ins.tsx';
import { PlaceFormFields } from './place-fields.tsx';
import { bodyOf, fieldsIn, fieldsOf, NEW_PLACE, type PlaceFields, wrongNumbers } from './place-form.ts';
import { addressText, PlaceState, placePath } from './place-list.screen.tsx';

const apiPathOf = (id: string | undefined) => `loyalty/places/${encodeURIComponent(id ?? '')}`;

const PLACING = { fields: { closed: 'isClosed' }, codes: { 'place-exists': 'id' } };

export const newPlace: Screen = (pageRequest) => newPlacePage(pageRequest, NEW_PLACE, ACCEPTED);

export const createPlace: Screen = async (pageRequest) => {
  const fields = fieldsIn(pageRequest.form);
  const wrong = wrongNumbers(fields);
  if (Object.keys(wrong).length > 0) return newPlacePage(pageRequest, fields, { ...ACCEPTED, wrong, status: 400 });
  const body = { ...bodyOf(fields), ...(fields.id !== '' && { id: fields.id }) };
  const created = await settled(pageRequest.management.send({ method: 'POST', path: 'loyalty/places', body }, Place));
  if (!created.ok) return newPlacePage(pageRequest, fields, refusedForm(created.failure, PLACING));
  return seeOther(placePath(pageRequest, created.value.id));
};

const newPlacePage = (pageRequest: PageRequest, fields: PlaceFields, refused: RefusedForm): Page =>
  page(
    'New place',
    <>
      <PageHead title="New place" under={[screenPath(pageRequest, 'places'), 'Places']} />
      <PostForm class="form card pad" action={screenPath(pageRequest, 'places/-/new')}>
        <PlaceFormFields fields={fields} refused={refused} isNew />
        <div class="row">
          <Submit kind="primary" label="Create" />
        </div>
      </PostForm>
    </>,
    { status: refused.status },
  );

export const placeScreen: Screen = async (pageRequest) => {
  const place = await pageRequest.management.get(apiPathOf(pageRequest.path['id']), Place);
  return placePage(pageRequest, place, fieldsOf(place), ACCEPTED);
};

export const changePlace: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  const fields = fieldsIn(pageRequest.form);
  const wrong = wrongNumbers(fields);
  if (Object.keys(wrong).length > 0) {
    const stored = await pageRequest.management.get(path, Place);
    return placePage(pageRequest, stored, fields, { ...ACCEPTED, wrong, status: 400 });
  }
  const changed = await settled(pageRequest.management.send({ method: 'PUT', path, body: bodyOf(fields) }, Place));
  if (changed.ok) return seeOther(`${placePath(pageRequest, changed.value.id)}?saved=1`);
  return placePage(
    pageRequest,
    await pageRequest.management.get(path, Place),
    fields,
    refusedForm(changed.failure, PLACING),
  );
};

async function placePage(
  pageRequest: PageRequest,
  place: Place,
  fields: PlaceFields,
  refused: RefusedForm,
): Promise<Page> {
  const view = viewOf(boxAt(place, REGION_DEGREES));
  const [land, checkIns] = await Promise.all([landIn(view), checkInsAt(pageRequest, place.id)]);
  return page(
    place.name,
    <>
      <PageHead
        title={place.name}
        lead={
          <>
            <PlaceState isClosed={place.closed} /> {addressText(place)}
          </>
        }
        under={[screenPath(pageRequest, 'places'), 'Places']}
      />
      <div class="beside spaced">
        <PostForm class="form wide card pad" action={placePath(pageRequest, place.id)} sends={bodyOf(fields)}>
          <PlaceFormFields fields={fields} refused={refused} isNew={false} />
          <div class="row">
            <Submit kind="primary" label="Save" />
            {pageRequest.query.has('saved') && refused === ACCEPTED && <Saved />}
          </div>
        </PostForm>
        <div class="stack">
          <section class="card pad stack">
            <h2>Location</h2>
            <PlaceMap
              isNarrow
              label={`Map around ${place.name}`}
              view={view}
              land={land}
              places={[place]}
              placeHref={(id) => placePath(pageRequest, id)}
            />
            <a href={screenPath(pageRequest, 'places', { box: boxText(boxAt(place, NEAR_DEGREES)) })}>Places nearby</a>
          </section>
          <DetailsAndDeletion pageRequest={pageRequest} place={place} />
        </div>
      </div>
      <PlaceCheckIns pageRequest={pageRequest} id={place.id} checkIns={checkIns} />
    </>,
    { status: refused.status },
  );
}

function DetailsAndDeletion({ pageRequest, place }: { readonly pageRequest: PageRequest; readonly place: Place }) {
  return (
    <>
      <section class="card pad stack">
        <h2>Details</h2>
        <Facts
          facts={{
            Id: <span class="mono">{place.id}</span>,
            'Venue id': <span class="mono">{place.venueId}</span>,
            Created: <Time at={place.createdAt} />,
            Changed: <Time at={place.updatedAt} />,
          }}
        />
      </section>
      <section class="card pad stack">
        <h2>Delete</h2>
        <div>
          <LinkButton kind="danger" label="Delete…" href={`${placePath(pageRequest, place.id)}/delete`} />
        </div>
      </section>
    </>
  );
}

/**
 * The size of the map: on the map of a region, unlike that of a town, a wrong sign or swapped coordinates are obvious.
 */
const REGION_DEGREES = 12;
const NEAR_DEGREES = 0.03;

function boxAt({ latitude, longitude }: Place, degrees: number): Box {
  const turned = (east: number) => (east > 180 ? east - 360 : east < -180 ? east + 360 : east);
  return {
    west: turned(longitude - degrees),
    east: turned(longitude + degrees),
    south: Math.max(-90, latitude - degrees / 3),
    north: Math.min(90, latitude + degrees / 3),
  };
}

export const confirmPlaceDeletion: Screen = async (pageRequest) => {
  const { id, name } = await pageRequest.management.get(apiPathOf(pageRequest.path['id']), Place);
  const back = placePath(pageRequest, id);
  return page(
    `Delete ${name}`,
    <>
      <PageHead title={`Delete ${name}?`} under={[back, name]} />
      <Confirm action={`${back}/delete`} label="Delete" back={back}>
        Customers no longer see it and can't check in. Past check-ins and points stay. This can't be undone.
      </Confirm>
    </>,
  );
};

export const deletePlace: Screen = async (pageRequest) => {
  const gone = await settled(
    pageRequest.management.send({ method: 'DELETE', path: apiPathOf(pageRequest.path['id']) }, z.unknown()),
  );
  if (!gone.ok && gone.failure.status !== 404) throw gone.failure;
  return seeOther(screenPath(pageRequest, 'places'));
};
