/** Event patterns of EventBridge, which the filters of event source mappings share. */
import { matchesWildcard, parseWildcard } from './wildcard.ts';

type Scalar = string | number | boolean | null;

/** Whether one value of an event, `undefined` for a missing one, is what a pattern asks for. */
type Matcher = (value: unknown) => boolean;

interface FieldPattern {
  readonly name: string;
  readonly pattern: readonly Matcher[] | Pattern;
}

/** All fields must match, and of each `$or` one alternative. */
export interface Pattern {
  readonly fields: readonly FieldPattern[];
  readonly alternatives: readonly (readonly Pattern[])[];
}

/** Refuses what EventBridge would refuse, and what would not be evaluated truthfully here. */
export function parsePattern(source: unknown): Pattern {
  if (!isRecord(source)) throw new Error('An event pattern is an object.');
  const entries = Object.entries(source);
  if (entries.length === 0) throw new Error('An event pattern, and every object in it, names at least one field.');
  const fields: FieldPattern[] = [];
  const alternatives: Pattern[][] = [];
  for (const [name, inner] of entries) {
    if (name === '$or' && Array.isArray(inner) && inner.length > 1 && inner.every(isRecord)) {
      alternatives.push(inner.map(parsePattern));
    } else if (Array.isArray(inner)) {
      if (inner.length === 0) throw new Error(`The pattern of ${name} is empty.`);
      fields.push({ name, pattern: inner.map((item) => parseMatcher(item, name)) });
    } else if (isRecord(inner)) {
      fields.push({ name, pattern: parsePattern(inner) });
    } else {
      throw new Error(`The pattern of ${name} must be a list or an object.`);
    }
  }
  return { fields, alternatives };
}

export function matches({ fields, alternatives }: Pattern, event: unknown): boolean {
  if (Array.isArray(event)) return event.some((item) => matches({ fields, alternatives }, item));
  const record = isRecord(event) ? event : {};
  return (
    fields.every(({ name, pattern }) => {
      const value = Object.hasOwn(record, name) ? record[name] : undefined;
      if ('fields' in pattern) return matches(pattern, value);
      return pattern.some((matcher) => matchesAny(matcher, value));
    }) && alternatives.every((patterns) => patterns.some((pattern) => matches(pattern, event)))
  );
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
  const make = MATCHERS[kind];
  if (!make) throw new Error(`The matcher ${kind} of ${field} is not known to the local cloud.`);
  return make(argument, field);
}

type MatcherFactory = (argument: unknown, field: string) => Matcher;

const MATCHERS: Readonly<Record<string, MatcherFactory>> = {
  prefix: (argument, field) => textMatcher(argument, field, (value, text) => value.startsWith(text)),
  suffix: (argument, field) => textMatcher(argument, field, (value, text) => value.endsWith(text)),
  'equals-ignore-case': (argument, field) => {
    const text = textIn(argument, field).toLowerCase();
    return (value) => typeof value === 'string' && value.toLowerCase() === text;
  },
  wildcard: (argument, field) => {
    const wildcard = parseWildcard(textIn(argument, field));
    return (value) => typeof value === 'string' && matchesWildcard(wildcard, value);
  },
  exists: (argument, field) => {
    if (typeof argument !== 'boolean') throw new Error(`exists of ${field} must be true or false.`);
    return (value) => (value !== undefined) === argument;
  },
  numeric: numericMatcher,
  'anything-but': anythingBut,
};

/** `"abc"` or `{"equals-ignore-case": "abc"}`. */
function textMatcher(argument: unknown, field: string, fits: (value: string, text: string) => boolean): Matcher {
  if (isRecord(argument) && Object.keys(argument).join() === 'equals-ignore-case') {
    const text = textIn(argument['equals-ignore-case'], field).toLowerCase();
    return (value) => typeof value === 'string' && fits(value.toLowerCase(), text);
  }
  const text = textIn(argument, field);
  return (value) => typeof value === 'string' && fits(value, text);
}

function anythingBut(argument: unknown, field: string): Matcher {
  const excluded = isRecord(argument) ? anyOf(argument, field) : equalsAny(argument, field);
  return (value) => value !== undefined && !excluded(value);
}

function equalsAny(argument: unknown, field: string): Matcher {
  const values = [argument].flat();
  if (values.length === 0 || !values.every(isScalar)) throw new Error(`anything-but of ${field} needs plain values.`);
  return (value) => values.some((excluded) => excluded === value);
}

/** `{"prefix": ["a", "b"]}`: any of several texts for one kind of matcher. */
function anyOf(argument: Record<string, unknown>, field: string): Matcher {
  const [kind = '', values] = Object.entries(argument)[0] ?? [];
  const make = MATCHERS[kind];
  if (!make || !['prefix', 'suffix', 'equals-ignore-case', 'wildcard'].includes(kind)) {
    throw new Error(`anything-but of ${field} cannot be combined with ${kind}.`);
  }
  const matchers = [values].flat().map((value) => make(value, field));
  return (value) => matchers.some((matcher) => matcher(value));
}

const COMPARISONS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** `[">", 0, "<=", 5]` */
function numericMatcher(argument: unknown, field: string): Matcher {
  const parts: unknown[] = Array.isArray(argument) ? argument : [];
  const conditions: ((value: number) => boolean)[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const compare = COMPARISONS[String(parts[i])];
    const bound = parts[i + 1];
    if (!compare || typeof bound !== 'number') throw new Error(`numeric of ${field} is malformed.`);
    conditions.push((value) => compare(value, bound));
  }
  if (conditions.length === 0 || conditions.length > 2) throw new Error(`numeric of ${field} is malformed.`);
  return (value) => typeof value === 'number' && conditions.every((holds) => holds(value));
}

function textIn(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new Error(`The matcher of ${field} needs text.`);
  return value;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
