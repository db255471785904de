/** The most reasons given for one line; more would not be read. */
export const MAX_REASONS = 10;

/** The longest piece of a wrong line that a reason repeats. */
export const SHOWN = 40;

/** A wrong value, as a reason shows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, SHOWN)}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}
