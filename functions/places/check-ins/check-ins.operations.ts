import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { answerOf, LoyaltyUser } from '#shared/loyalty/loyalty-schemas';
import { CheckInStateName } from '../check-in-rules/check-in-schemas.ts';
import { CheckInBody } from './check-in-request.ts';

const CheckInResult = named(
  'CheckInResult',
  z.object({ place_id: z.string(), state: CheckInStateName, can_check_in_again_at: Time }),
  'What a check-in has changed: the state of the place right after it.',
);

const errors = {
  200: ['access_denied', 'missing_data', 'check_in_too_far_away', 'check_in_not_available', 'check_in_limit_reached'],
  404: ['not_found'],
};
const checkIn = {
  description:
    'The position of the last list of places decides, if it is not older than ten minutes. `state` and `distance` of the body decide nothing.',
  body: CheckInBody,
  example: { check_in: { place_id: 'space-needle', venue_id: 1, state: 'checkable', distance: 0 } },
  answers: { 200: answerOf('CheckedIn', { check_in: CheckInResult, user: LoyaltyUser }) },
  errors,
};

/** Operations that check a customer in. */
export const checkInOperations = operations({
  checkIn: {
    route: 'POST /priv/v1/apps/{api_key}/places/{place_id}/check_ins',
    summary: 'Check a customer in by its token',
    ...checkIn,
    errors: { ...errors, 200: [...errors[200], 'requires_registered_user'] },
  },
  checkInCustomer: {
    route: 'POST /priv/v1/apps/{api_key}/users/{user_id}/places/{place_id}/check_ins',
    summary: 'Check a customer in',
    ...checkIn,
  },
  checkInExternalCustomer: {
    route: 'POST /priv/v1/apps/{api_key}/external/users/{external_id}/places/{place_id}/check_ins',
    summary: 'Check a customer in by its external id',
    ...checkIn,
  },
  checkInAnonymousCustomer: {
    route: 'POST /api/v1/apps/{api_key}/places/{place_id}/check_ins',
    summary: 'Check an anonymous customer in',
    isPublic: true,
    ...checkIn,
  },
});
