/** The maximum number of reasons per line. Nobody would read more. */
export const MAX_REASONS = 10;

/** The maximum length of a wrong value in a reason. */
export const SHOWN = 40;

/** Formats a wrong value for a reason. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, SHOWN)}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}
