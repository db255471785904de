import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { CHECK_IN_STATES } from '../standing/check-in-state.ts';

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

const STATES: ReadonlySet<unknown> = new Set(CHECK_IN_STATES);

function isMeters(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The members of `check_in`, with the type of each. */
const MEMBERS: Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly expected: string }>> = {
  place_id: { is: (value) => typeof value === 'string', expected: 'a string' },
  venue_id: { is: Number.isSafeInteger, expected: 'an integer' },
  state: { is: (value) => STATES.has(value), expected: `one of ${CHECK_IN_STATES.join(', ')}` },
  distance: { is: isMeters, expected: 'an integer of metres, 0 or more' },
};

/** Reads `{"check_in": {…}}`. Unknown members are ignored at both levels. */
export function readCheckInRequest(body: string | undefined): CheckInRequest {
  const checkIn = memberOf(parsed(body), 'check_in');
  if (checkIn === undefined || checkIn === null) throw loyaltyError('missing_data', 'The body needs check_in.');
  if (typeof checkIn !== 'object' || Array.isArray(checkIn)) throw argument('check_in', 'an object');
  for (const [name, { is, expected }] of Object.entries(MEMBERS)) {
    const value = memberOf(checkIn, name);
    if (value === undefined || value === null || value === '') {
      throw loyaltyError('missing_data', `check_in needs ${name}.`);
    }
    if (!is(value)) throw argument(`check_in.${name}`, expected);
  }
  const creative = memberOf(checkIn, 'creative_id') ?? null;
  if (creative !== null && !Number.isSafeInteger(creative))
    throw argument('check_in.creative_id', 'an integer or null');
  return {
    placeId: String(memberOf(checkIn, 'place_id')),
    venueId: Number(memberOf(checkIn, 'venue_id')),
    ...(creative !== null && { creativeId: Number(creative) }),
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
