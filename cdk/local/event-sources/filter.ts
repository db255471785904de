/** The filter of an event source mapping: records that match no pattern are dropped before the function sees them. */
import { matches, type Pattern, parsePattern } from '../events/pattern.ts';

export type RecordFilter = (record: object) => boolean;

/** @param patterns JSON texts; none lets everything pass, one that matches is enough. */
export function recordFilter(patterns: readonly string[]): RecordFilter {
  if (patterns.length === 0) return () => true;
  const parsed: Pattern[] = patterns.map((text) => parsePattern(JSON.parse(text)));
  return (record) => parsed.some((pattern) => matches(pattern, record));
}

/** A message's body as filters see it: its JSON where it is an object, else the text. */
export function bodyForFilter(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : body;
  } catch {
    return body;
  }
}
