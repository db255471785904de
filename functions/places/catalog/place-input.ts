import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { PlaceFields, PlaceId, placeFields } from './place.ts';

export const NewPlace = named(
  'NewPlace',
  PlaceFields.extend({ id: PlaceId.describe('The id of the place. If absent, the service makes one.').optional() }),
);
export type NewPlace = z.output<typeof NewPlace>;

/** Omitted members keep their values; null removes the place's own accepted distance. */
export const PlaceChange = z
  .strictObject({
    ...placeFields,
    acceptedDistanceMeters: placeFields.acceptedDistanceMeters
      .nullable()
      .describe('The largest distance for a check-in, in metres. Null means that of the app.'),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ id: 'PlaceChange', minProperties: 1 });
export type PlaceChange = z.output<typeof PlaceChange>;

/** A replacement sets all members of a place. Omitted members get their defaults. */
export const PlaceReplacement = named(
  'PlaceReplacement',
  PlaceFields.transform(
    ({ acceptedDistanceMeters, ...fields }): PlaceChange => ({
      ...fields,
      acceptedDistanceMeters: acceptedDistanceMeters ?? null,
    }),
  ),
);
