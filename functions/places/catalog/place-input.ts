import * as z from 'zod';
import { PlaceFields, PlaceId, placeFields } from './place.ts';

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
