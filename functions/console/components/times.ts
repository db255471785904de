/** A cache of formats: one costs far more to make than to use, and a page shows a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 500;

interface TimeFormat {
  readonly timeZone: string;
  readonly now: number;
  /** `day` leaves out the time of day, `date` does too and always has the year. */
  readonly only?: 'day' | 'date' | undefined;
  /** Milliseconds. */
  readonly sameDayAs?: number | undefined;
}

/** `21 Nov 15:02:05`; with the year unless it is the current one, without the day if it is that of `sameDayAs`. */
export function timeText(millis: number, { timeZone, now, only, sameDayAs }: TimeFormat): string {
  const day = dayIn(millis, timeZone);
  const time = formatted(millis, timeZone, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  if (only === undefined && sameDayAs !== undefined && day === dayIn(sameDayAs, timeZone)) return time;
  if (only === 'date') return day;
  const isThisYear = day.slice(-4) === dayIn(now, timeZone).slice(-4);
  const dayText = isThisYear ? day.slice(0, -5) : day;
  return only === 'day' ? dayText : `${dayText} ${time}`;
}

/** `15:02` */
export const clockText = (millis: number, timeZone: string): string =>
  formatted(millis, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `2026-11-21 15:02:05.123 UTC` */
export const utcText = (millis: number): string =>
  `${new Date(millis).toISOString().replace('T', ' ').replace('Z', '')} UTC`;

/** `21 Nov 2026` */
const dayIn = (millis: number, timeZone: string) =>
  formatted(millis, timeZone, { day: 'numeric', month: 'short', year: 'numeric' });

function formatted(millis: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${timeZone} ${Object.keys(options).join()}`;
  let format = formats.get(key);
  if (!format) {
    if (formats.size >= FORMATS_MAX) formats.clear();
    format = new Intl.DateTimeFormat('en-GB', { timeZone, ...options });
    formats.set(key, format);
  }
  return format.format(millis);
}
