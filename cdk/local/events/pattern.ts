/** Event patterns of EventBridge, which the filters of event source mappings share: values, prefixes and presence. */

type Scalar = string | number | boolean | null;

/** Returns whether one value of an event matches. The value is undefined when the event does not have it. */
type Matcher = (value: unknown) => boolean;

interface FieldPattern {
  readonly name: string;
  readonly pattern: readonly Matcher[] | Pattern;
}

/** All fields must match. */
export interface Pattern {
  readonly fields: readonly FieldPattern[];
}

/** Refuses what EventBridge would refuse, and what would not be evaluated truthfully here. */
export function parsePattern(source: unknown): Pattern {
  if (!isRecord(source)) throw new Error('An event pattern is an object.');
  const entries = Object.entries(source);
  if (entries.length === 0) throw new Error('An event pattern, and every object in it, names at least one field.');
  const fields = entries.map(([name, inner]): FieldPattern => {
    if (name === '$or') throw new Error('The local cloud does not have $or in event patterns.');
    if (isRecord(inner)) return { name, pattern: parsePattern(inner) };
    if (!Array.isArray(inner)) throw new Error(`The pattern of ${name} must be a list or an object.`);
    if (inner.length === 0) throw new Error(`The pattern of ${name} is empty.`);
    return { name, pattern: inner.map((item) => parseMatcher(item, name)) };
  });
  return { fields };
}

export function matches({ fields }: Pattern, event: unknown): boolean {
  if (Array.isArray(event)) return event.some((item) => matches({ fields }, item));
  const record = isRecord(event) ? event : {};
  return fields.every(({ name, pattern }) => {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if ('fields' in pattern) return matches(pattern, value);
    return pattern.some((matcher) => matchesAny(matcher, value));
  });
}

/** A list in an event matches when one of its values does. */
function matchesAny(matcher: Matcher, value: unknown): boolean {
  if (!Array.isArray(value)) return matcher(isRecord(value) ? undefined : value);
  const scalars = value.flat(Number.POSITIVE_INFINITY).filter((item) => !isRecord(item));
  return scalars.length === 0 ? matcher(undefined) : scalars.some(matcher);
}

function parseMatcher(source: unknown, field: string): Matcher {
  if (isScalar(source)) return (value) => value === source;
  const entries = isRecord(source) ? Object.entries(source) : [];
  const [entry] = entries;
  if (!entry || entries.length !== 1) throw new Error(`The pattern of ${field} has a matcher that is none.`);
  const [kind, argument] = entry;
  const make = Object.hasOwn(MATCHERS, kind) ? MATCHERS[kind] : undefined;
  if (!make) throw new Error(`The local cloud does not have the matcher ${kind}, which the pattern of ${field} uses.`);
  return make(argument, field);
}

type MatcherFactory = (argument: unknown, field: string) => Matcher;

const MATCHERS: Readonly<Record<string, MatcherFactory>> = {
  prefix: (argument, field) => {
    if (typeof argument !== 'string') throw new Error(`prefix of ${field} needs text.`);
    return (value) => typeof value === 'string' && value.startsWith(argument);
  },
  exists: (argument, field) => {
    if (typeof argument !== 'boolean') throw new Error(`exists of ${field} must be true or false.`);
    return (value) => (value !== undefined) === argument;
  },
};

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
