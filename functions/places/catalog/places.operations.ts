import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { NewPlace, PlaceChange, PlaceReplacement } from './place-input.ts';
import { PlacesQuery } from './places-in-box.ts';

const Place = named(
  'Place',
  z.object({
    id: z.string(),
    venueId: z.int().meta({ description: 'The number of the place in the loyalty interface.' }),
    name: z.string(),
    icon: z.string().meta({ description: 'The URL of a picture, or empty.' }),
    address: z.string(),
    city: z.string(),
    state: z.string().meta({ description: 'The state, province or region.' }),
    latitude: z.number(),
    longitude: z.number(),
    brand: z.string().meta({ description: 'Places of one brand share a limit. Empty means no brand.' }),
    points: z.int().meta({ description: 'The points for a check-in.' }),
    acceptedDistanceMeters: z
      .int()
      .optional()
      .meta({ description: 'The largest distance for a check-in; absent where the app decides.' }),
    closed: z.boolean().meta({ description: 'A closed place is listed but takes no check-ins.' }),
    createdAt: Time,
    updatedAt: Time,
  }),
  'A place where customers check in.',
);

const one = { path: ItemPath, answers: { 200: Place } };
const example = { name: 'Space Needle', latitude: 47.6205, longitude: -122.3493, brand: 'sights', points: 10 };

/** Operations on single places. */
export const placeOperations = operations({
  createPlace: {
    route: 'POST /manage/v1/loyalty/places',
    summary: 'Create a place',
    description: 'An account may create a limited number of single places per UTC day. Imports create many at once.',
    body: NewPlace,
    example: { id: 'space-needle', ...example },
    answers: { 201: Place },
    errors: { 409: ['place-exists'], 429: ['quota-exceeded'] },
  },
  listPlaces: {
    route: 'GET /manage/v1/loyalty/places',
    summary: 'List places',
    description:
      'With `box`, lists the places inside it, up to 500 on a page. With `name`, lists those whose name has all its words, in any case, with or without accents. Such a page may be short, or empty, and still have a next page. With `ids`, lists those of these places that exist, in the same order, all on one page.',
    query: PlacesQuery,
    answers: { 200: pageOf('PlacePage', Place) },
  },
  getPlace: { route: 'GET /manage/v1/loyalty/places/{id}', summary: 'Get a place', ...one },
  replacePlace: {
    route: 'PUT /manage/v1/loyalty/places/{id}',
    summary: 'Replace a place',
    description: 'Members that are absent get their defaults.',
    ...one,
    body: PlaceReplacement,
    example,
  },
  changePlace: {
    route: 'PATCH /manage/v1/loyalty/places/{id}',
    summary: 'Change a place',
    description: 'Members that are absent stay as they are.',
    ...one,
    body: PlaceChange,
    example: { points: 20, closed: false },
  },
  deletePlace: {
    route: 'DELETE /manage/v1/loyalty/places/{id}',
    summary: 'Delete a place',
    path: ItemPath,
    answers: { 204: undefined },
  },
});
