import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { CHECK_IN_STATES } from '../check-in-rules/check-in-state.ts';

/**
 * The body of a check-in. Its `state` and `distance` must be well-formed but have no effect: see "The loyalty
 * interface" in the README.
 */
export interface CheckInRequest {
  readonly placeId: string;
  readonly venueId: number;
  /** It must name an ad unit of the tenant. The ad unit that promotes the place is looked up separately. */
  readonly creativeId?: number;
}

/** Larger bodies are refused. */
const BODY_CHARACTERS_MAX = 64 * 1024;

const distance = 'an integer of metres, 0 or more';

/** The members that `check_in` needs. The message of each says its type. */
const needed = {
  place_id: z.string('a string').min(1),
  venue_id: z.int('an integer'),
  state: z.enum(CHECK_IN_STATES, `one of ${CHECK_IN_STATES.join(', ')}`),
  distance: z.int(distance).min(0, distance),
};
const creativeId = z.int().nullish();

/** The body of a check-in. */
export const CheckInBody = named(
  'CheckInBody',
  z.object({ check_in: named('NewCheckIn', z.object({ ...needed, creative_id: creativeId })) }),
);

/** Reads `{"check_in": {…}}`. Unknown members are ignored at both levels. */
export function readCheckInRequest(body: string | undefined): CheckInRequest {
  const checkIn = memberOf(parsed(body), 'check_in');
  if (checkIn === undefined || checkIn === null) throw loyaltyError('missing_data', 'The body needs check_in.');
  if (typeof checkIn !== 'object' || Array.isArray(checkIn)) throw argument('check_in', 'an object');
  for (const [name, schema] of Object.entries(needed)) {
    const value = memberOf(checkIn, name);
    if (value === undefined || value === null || value === '') {
      throw loyaltyError('missing_data', `check_in needs ${name}.`);
    }
    const { error } = schema.safeParse(value);
    if (error) throw argument(`check_in.${name}`, error.issues[0]?.message ?? '');
  }
  const { data: creative, success } = creativeId.safeParse(memberOf(checkIn, 'creative_id'));
  if (!success) throw argument('check_in.creative_id', 'an integer or null');
  return {
    placeId: String(memberOf(checkIn, 'place_id')),
    venueId: Number(memberOf(checkIn, 'venue_id')),
    ...(typeof creative === 'number' && { creativeId: creative }),
  };
}

function parsed(body: string | undefined): unknown {
  if (body === undefined || body.trim() === '') throw loyaltyError('missing_data', 'The body needs check_in.');
  if (body.length > BODY_CHARACTERS_MAX) throw loyaltyError('argument_error', 'The body is too long for a check-in.');
  try {
    return JSON.parse(body);
  } catch {
    throw loyaltyError('argument_error', 'The body is not valid JSON.');
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

const argument = (name: string, expected: string) => loyaltyError('argument_error', `${name} must be ${expected}.`);
