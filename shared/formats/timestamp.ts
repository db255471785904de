/** ISO 8601 in UTC with milliseconds. @param at milliseconds since 1970, as all times are passed around */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** `<year>-<month>-<day> <hh>:<mm>:<ss>` in UTC; month and day are not padded (specification 000, section 2). */
export function timestamp(at: Date): string {
  const time = at.toISOString().slice(11, 19);
  return `${at.getUTCFullYear()}-${at.getUTCMonth() + 1}-${at.getUTCDate()} ${time}`;
}
