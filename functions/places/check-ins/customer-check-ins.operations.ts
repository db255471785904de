import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';

const CheckIn = named(
  'CheckIn',
  z.object({
    id: z.string(),
    time: Time,
    placeId: z.string(),
    placeName: z
      .string()
      .optional()
      .meta({ description: 'The current name of the place; absent if the place was deleted.' }),
    customer: z.string(),
    app: z.string().optional(),
    points: z.int(),
    distance: z.number().optional().meta({ description: "Metres between the customer's last listing and the place." }),
  }),
  'A check-in of a customer at a place.',
);

/** Operations on the check-ins of a customer, and on those at a place. */
export const customerCheckInOperations = operations({
  listCheckIns: {
    route: 'GET /manage/v1/loyalty/customers/{id}/check-ins',
    summary: 'List the check-ins of a customer',
    description:
      'Check-ins of anonymous and deleted customers are listed too. A page may be short, or empty, and still have a next page.',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('CheckInPage', CheckIn) },
  },
  listPlaceCheckIns: {
    route: 'GET /manage/v1/loyalty/places/{id}/check-ins',
    summary: 'List the check-ins at a place',
    description: 'A new check-in appears within moments.',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('CheckInPage', CheckIn) },
  },
});
