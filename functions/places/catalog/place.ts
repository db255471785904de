import * as z from 'zod';
import type { TenantKey } from '#shared/ids';
import { storable } from '../geo/distance.ts';

const line = (max: number) => z.string().trim().max(max);

export const PlaceId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is 1 to 64 letters, digits, - or _');

/** The members of a place, without defaults, because a change contains only what it changes. */
export const placeFields = {
  name: line(200).min(1).describe('The name that customers see.'),
  icon: z
    .union([z.url({ protocol: /^https?$/ }).max(1_000), z.literal('')])
    .describe('The URL of a picture. Empty means none.'),
  address: line(300).describe('The street and the number.'),
  city: line(100).describe('The city.'),
  state: line(100).describe('The state, province or region.'),
  latitude: z.number().min(-90).max(90).overwrite(storable).describe('The latitude in degrees.'),
  longitude: z.number().min(-180).max(180).overwrite(storable).describe('The longitude in degrees.'),
  brand: line(100).describe('Places of one brand share a limit of check-ins. Empty means no brand.'),
  points: z.int().min(0).max(1_000_000).describe('The points for a check-in.'),
  acceptedDistanceMeters: z
    .int()
    .min(1)
    .max(50_000)
    .describe('The largest distance for a check-in, in metres. Without it, that of the app.'),
  closed: z.boolean().describe('A closed place is listed but takes no check-ins.'),
};

/** A place without its id, as its owner defines it. */
export const PlaceFields = z.strictObject({
  ...placeFields,
  icon: placeFields.icon.default(''),
  address: placeFields.address.default(''),
  city: placeFields.city.default(''),
  state: placeFields.state.default(''),
  brand: placeFields.brand.default(''),
  points: placeFields.points.default(0),
  acceptedDistanceMeters: placeFields.acceptedDistanceMeters.optional(),
  closed: placeFields.closed.default(false),
});
export type PlaceFields = z.output<typeof PlaceFields>;

/** A place as its owner defines it. */
export type PlaceInput = PlaceFields & TenantKey;

export interface Place extends PlaceFields, TenantKey {
  /**
   * The number by which the loyalty interface identifies the place, fixed until it is deleted. It is not used for
   * lookups.
   */
  readonly venueId: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A place and the version of its last write. */
export interface StoredPlace {
  readonly place: Place;
  readonly version: string;
}

/** The place as the management API shows it. */
export const presentPlace = (place: Place) => ({
  id: place.id,
  venueId: place.venueId,
  name: place.name,
  icon: place.icon,
  address: place.address,
  city: place.city,
  state: place.state,
  latitude: place.latitude,
  longitude: place.longitude,
  brand: place.brand,
  points: place.points,
  ...(place.acceptedDistanceMeters !== undefined && { acceptedDistanceMeters: place.acceptedDistanceMeters }),
  closed: place.closed,
  createdAt: place.createdAt,
  updatedAt: place.updatedAt,
});
