import * as z from 'zod';
import { Refusal } from '#shared/errors';
import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import { type Place, PlaceFields, PlaceId, placeFields, type StatedPlace, type StoredPlace } from './place.ts';
import { laterVersion, versionOf } from './place-writes.ts';

export const NewPlace = PlaceFields.extend({ id: PlaceId.optional() });
export type NewPlace = z.output<typeof NewPlace>;

/** Members that are left out keep their values; null takes the place's own accepted distance away. */
export const PlaceChange = z
  .strictObject({ ...placeFields, acceptedDistanceMeters: placeFields.acceptedDistanceMeters.nullable() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.');
export type PlaceChange = z.output<typeof PlaceChange>;

/** All members of a place: those that are left out get their defaults. */
export const PlaceReplacement = PlaceFields.transform(
  ({ acceptedDistanceMeters, ...stated }): PlaceChange => ({
    ...stated,
    acceptedDistanceMeters: acceptedDistanceMeters ?? null,
  }),
);

export interface Places {
  byId(key: TenantKey): Promise<StoredPlace | undefined>;
  /** Undefined if there is one with this id. */
  add(place: StatedPlace, version: string): Promise<Place | undefined>;
  /** Undefined if it is not any more as it was in version `after`. */
  change(place: StatedPlace, versions: { version: string; after: string }): Promise<Place | undefined>;
  /** False if it is not any more as it was in version `after`. */
  remove(key: TenantKey, versions: { version: string; after: string }): Promise<boolean>;
}

/** When a request came, and a name for what it writes. */
export interface Writing {
  readonly now: number;
  readonly newId: () => string;
}

const versionAt = ({ now, newId }: Writing): string => versionOf(isoTime(now), newId());

export async function createPlace(places: Places, stated: NewPlace, at: Writing & { tenant: string }): Promise<Place> {
  const { tenant, newId } = at;
  const id = stated.id ?? newId();
  const place = await places.add({ ...stated, tenant, id }, versionAt(at));
  if (!place) throw new Refusal(409, 'place-exists', `There is a place ${id} already.`);
  return place;
}

/** Changes a place, whatever is changed at the same time: this change is then made to the result. */
export async function changePlace(places: Places, change: PlaceChange, at: Writing & TenantKey): Promise<Place> {
  const { tenant, id } = at;
  const { acceptedDistanceMeters, ...others } = change;
  for (;;) {
    const { place, version: after } = (await places.byId({ tenant, id })) ?? missing();
    const accepted = acceptedDistanceMeters === undefined ? place.acceptedDistanceMeters : acceptedDistanceMeters;
    const { createdAt: _, updatedAt: __, venueId: ___, ...stated } = place;
    const changed = { ...stated, ...others, acceptedDistanceMeters: accepted ?? undefined };
    const stored = await places.change(changed, { version: laterVersion(versionAt(at), after), after });
    if (stored) return stored;
  }
}

export async function placeById(places: Places, key: TenantKey): Promise<Place> {
  return ((await places.byId(key)) ?? missing()).place;
}

export async function deletePlace(places: Places, at: Writing & TenantKey): Promise<void> {
  const key = { tenant: at.tenant, id: at.id };
  for (;;) {
    const { version: after } = (await places.byId(key)) ?? missing();
    if (await places.remove(key, { version: laterVersion(versionAt(at), after), after })) return;
  }
}

function missing(): never {
  throw new Refusal(404, 'not-found', 'There is no such place.');
}
