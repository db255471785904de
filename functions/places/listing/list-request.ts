import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { type Point, storable } from '../geo/distance.ts';

/** A customer's request for a list of places: see "Interface" in the README. */
export interface ListRequest extends Point {
  readonly limit?: number;
  readonly radiusMeters?: number;
  /** The accuracy that the device reports. Anything but a plausible number of metres is ignored. */
  readonly accuracy?: number;
  /** The creative id of an ad unit. */
  readonly filterBy?: number;
}

/** The circumference of the Earth. DynamoDB refuses numbers from 1e126. */
const ACCURACY_METERS_MAX = 40_075_017;

const MEMBER = /^location\[([a-z]+)\]$/;

/** Larger bodies are refused. */
const BODY_CHARACTERS_MAX = 64 * 1024;

/**
 * Reads a list request. It is in the query string, as `location[latitude]=…` or as JSON in `location`, or in a JSON
 * body, `{"location": {…}, "filter_by": …}`. Unknown members are ignored, because SDKs send more than is specified; a
 * member in two of these places is refused.
 */
export function readListRequest(rawQueryString: string, body?: string): ListRequest {
  const query = new URLSearchParams(rawQueryString);
  const inBody = bodyIn(body);
  const location = onlyOne('location', [
    bracketsIn(query),
    readIfGiven(query.get('location') ?? undefined, (json) => objectIn('location', json)),
    readIfGiven(inBody?.get('location'), (value) => membersOf('location', value)),
  ]);
  const latitude = location.get('latitude');
  const longitude = location.get('longitude');
  if (isAbsent(latitude) || isAbsent(longitude)) {
    throw loyaltyError('missing_data', 'location needs latitude and longitude.');
  }
  const filters = [textOrNumber(query.get('filter_by') ?? ''), inBody?.get('filter_by')].filter(
    (one) => !isAbsent(one),
  );
  if (filters.length > 1) throw twice('filter_by');
  const [filterBy] = filters;
  return {
    latitude: degrees('latitude', latitude, 90),
    longitude: degrees('longitude', longitude, 180),
    ...optional('limit', positive('location.limit', location.get('limit'))),
    ...optional('radiusMeters', positive('location.radius', location.get('radius'))),
    ...optional('accuracy', metersIn(location.get('accuracy'))),
    ...optional('filterBy', integer('filter_by', filterBy)),
  };
}

/** The members of a JSON body; undefined without a body. */
function bodyIn(body: string | undefined): Members | undefined {
  if (body === undefined || body.trim() === '') return undefined;
  if (body.length > BODY_CHARACTERS_MAX)
    throw loyaltyError('argument_error', 'The body is too long for a list request.');
  return objectIn('The body', body);
}

function onlyOne(name: string, places: readonly (Members | undefined)[]): Members {
  const [one, ...others] = places.filter((place) => place !== undefined);
  if (others.length > 0) throw twice(name);
  return one ?? new Map();
}

const twice = (name: string) =>
  loyaltyError(
    'argument_error',
    `${name} appears twice: send it only once, in brackets, as JSON in the query, or in the body.`,
  );

type Members = ReadonlyMap<string, unknown>;

/** The members in `location[…]`; undefined if there are none. */
function bracketsIn(query: URLSearchParams): Members | undefined {
  const members = new Map<string, unknown>();
  for (const [name, value] of query) {
    const member = MEMBER.exec(name)?.[1];
    if (member !== undefined && !members.has(member)) members.set(member, textOrNumber(value));
  }
  return members.size > 0 ? members : undefined;
}

const readIfGiven = <Value, Result>(value: Value | undefined, read: (value: Value) => Result): Result | undefined =>
  value === undefined ? undefined : read(value);

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Values of a query string are always text. */
const textOrNumber = (text: string): string | number => (NUMBER.test(text.trim()) ? Number(text) : text.trim());

const objectIn = (name: string, json: string): Members => membersOf(name, parsed(name, json));

function membersOf(name: string, value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw argument(name, 'an object');
  return new Map(Object.entries(value));
}

function parsed(name: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw loyaltyError('argument_error', `${name} is not valid JSON.`);
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

function metersIn(accuracy: unknown): number | undefined {
  const meters = numberIn(accuracy);
  return meters !== undefined && meters >= 0 && meters <= ACCURACY_METERS_MAX ? storable(meters) : undefined;
}

function degrees(name: 'latitude' | 'longitude', value: unknown, most: number): number {
  const number = numberIn(value);
  if (number !== undefined && Math.abs(number) <= most) return storable(number);
  const hint = number !== undefined && Math.abs(number) <= 180 ? ' Are latitude and longitude swapped?' : '';
  throw loyaltyError('argument_error', `location.${name} must be a number from -${most} to ${most}.${hint}`);
}

/** Undefined if the member is absent. */
function integer(name: string, value: unknown): number | undefined {
  if (isAbsent(value)) return undefined;
  const number = numberIn(value);
  if (number === undefined || !Number.isInteger(number)) throw argument(name, 'an integer');
  return number;
}

function positive(name: string, value: unknown): number | undefined {
  const number = integer(name, value);
  if (number !== undefined && number <= 0) throw argument(name, 'an integer above 0');
  return number;
}

const argument = (name: string, expected: string) => loyaltyError('argument_error', `${name} must be ${expected}.`);

const optional = <Name extends string>(name: Name, value: number | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: number };
