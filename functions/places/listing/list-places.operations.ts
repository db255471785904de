import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { answerOf } from '#shared/loyalty/loyalty-schemas';
import { CheckInStateName } from '../check-in-rules/check-in-schemas.ts';

const meters = (description: string) => z.int().meta({ description: `${description}, in metres.` });

const ListedPlace = named(
  'ListedPlace',
  z.object({
    id: z.string(),
    name: z.string(),
    state: CheckInStateName,
    distance: meters('The distance from the position'),
    distance_label: z.string().meta({ description: 'The distance for people, in the unit of the app.' }),
    accepted_distance: meters('The largest distance for a check-in'),
    promoted: z.boolean().meta({ description: 'True if an ad unit promotes the place now.' }),
    points: z.int(),
    icon: z.string().meta({ description: 'The URL of a picture, or empty.' }),
    location: named(
      'PlaceLocation',
      z.object({ lat: z.number(), lng: z.number(), address: z.string(), city: z.string(), state: z.string() }),
    ),
    check_in: named(
      'PlaceCheckIn',
      z.object({
        place_id: z.string(),
        venue_id: z.int(),
        creative_id: z.int().nullable().meta({ description: 'The ad unit that promotes the place, or null.' }),
        state: CheckInStateName,
        distance: meters('The distance from being able to check in; 0 within it'),
      }),
      'The body of a check-in at this place.',
    ),
  }),
  'A place around a position, and whether the customer can check in there.',
);

/** The request in the form that all clients can send. `readListRequest` describes the others. */
const ListPlacesQuery = z.object({
  'location[latitude]': z.number().min(-90).max(90),
  'location[longitude]': z.number().min(-180).max(180),
  'location[limit]': z.int().min(1).optional().meta({
    description: 'The largest number of places, up to 100. The app has a default.',
  }),
  'location[radius]': z.int().min(1).optional().meta({
    description: 'The largest distance in metres, up to 50,000. The app has a default.',
  }),
  'location[accuracy]': z.number().optional().meta({
    description: 'The accuracy of the position in metres. It decides nothing.',
  }),
  filter_by: z.int().optional().meta({ description: 'The creative id of an ad unit: only its places are listed.' }),
});

const listing = {
  description:
    'The nearest places first. The position decides check-ins of the next ten minutes. `location` may also be JSON in the query, or a member of a JSON body.',
  query: ListPlacesQuery,
  answers: { 200: answerOf('PlaceList', { places: z.array(ListedPlace) }) },
  errors: { 200: ['access_denied', 'missing_data'], 415: ['unsupported_media_type'] },
};

/** Operations that list places for customers. */
export const placeListingOperations = operations({
  listPlacesNearby: {
    route: 'GET /priv/v1/apps/{api_key}/places',
    summary: 'List places around a position',
    ...listing,
  },
  listPlacesNearCustomer: {
    route: 'GET /priv/v1/apps/{api_key}/users/{user_id}/places',
    summary: 'List places around a customer',
    ...listing,
  },
  listPlacesNearExternalCustomer: {
    route: 'GET /priv/v1/apps/{api_key}/external/users/{external_id}/places',
    summary: 'List places around a customer by its external id',
    ...listing,
  },
  listPlacesNearAnonymousCustomer: {
    route: 'GET /api/v1/apps/{api_key}/places',
    summary: 'List places around an anonymous customer',
    isPublic: true,
    ...listing,
  },
});
