import { noSuch } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { tenantFaults } from '#shared/http/management-api';
import type { TenantKey } from '#shared/ids';
import type { Place, PlaceInput, StoredPlace } from './place.ts';
import { NewPlace, type PlaceChange } from './place-input.ts';
import { laterVersion, versionOf } from './place-writes.ts';

export interface Places {
  byId(key: TenantKey): Promise<StoredPlace | undefined>;
  /** Undefined if the id exists. */
  add(place: PlaceInput, version: string): Promise<Place | undefined>;
  /** Undefined if the place is no longer in version `after`. */
  change(place: PlaceInput, versions: { version: string; after: string }): Promise<Place | undefined>;
  /** False if the place is no longer in version `after`. */
  remove(key: TenantKey, versions: { version: string; after: string }): Promise<boolean>;
}

/** The time of the request, and a name for its write. */
export interface Writing {
  readonly now: number;
  readonly newId: () => string;
}

const versionAt = ({ now, newId }: Writing): string => versionOf(isoTime(now), newId());

export async function createPlace(places: Places, input: NewPlace, at: Writing & { tenant: string }): Promise<Place> {
  const { tenant, newId } = at;
  const id = input.id ?? newId();
  const place = await places.add({ ...input, tenant, id }, versionAt(at));
  if (!place) throw placeExists(id);
  return place;
}

const placeExists = (id: string) =>
  faultOf('id', `There is a place ${id} already.`, { status: 409, code: 'place-exists' });

/** Checks what the schema cannot, when a place is created. */
export const newPlaceFaults = (places: Pick<Places, 'byId'>) =>
  tenantFaults(NewPlace.pick({ id: true }), ({ id }, { tenant }) => [
    async () => {
      if (id !== undefined && (await places.byId({ tenant, id }))) throw placeExists(id);
    },
  ]);

/** Changes a place. If another writer was faster, the change is applied to the newer version. */
export async function changePlace(places: Places, change: PlaceChange, at: Writing & TenantKey): Promise<Place> {
  const { tenant, id } = at;
  const { acceptedDistanceMeters, ...others } = change;
  for (;;) {
    const { place, version: after } = (await places.byId({ tenant, id })) ?? noSuch('place');
    const accepted = acceptedDistanceMeters === undefined ? place.acceptedDistanceMeters : acceptedDistanceMeters;
    const { createdAt: _, updatedAt: __, venueId: ___, ...fields } = place;
    const changed = { ...fields, ...others, acceptedDistanceMeters: accepted ?? undefined };
    const stored = await places.change(changed, { version: laterVersion(versionAt(at), after), after });
    if (stored) return stored;
  }
}

export async function placeById(places: Places, key: TenantKey): Promise<Place> {
  return ((await places.byId(key)) ?? noSuch('place')).place;
}

export async function deletePlace(places: Places, at: Writing & TenantKey): Promise<void> {
  const key = { tenant: at.tenant, id: at.id };
  for (;;) {
    const { version: after } = (await places.byId(key)) ?? noSuch('place');
    if (await places.remove(key, { version: laterVersion(versionAt(at), after), after })) return;
  }
}
