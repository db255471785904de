import { LRUCache } from 'lru-cache';
import { quoteForMessage } from '../../items/item-refusal.ts';
import { ambiguous, type Reading, read, unreadable } from './reading.ts';

const DAY_MILLISECONDS = 86_400_000;

/** Cached, because creating a format is slow and a record may hold thousands of times. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** Adds the zone's offset to an ISO 8601 time that names none. Other text is returned unchanged. */
export function withOffset(text: string, timezone: string): Reading<string> {
  if (!/T[\d:.,]+$/.test(text)) return read(text);
  const local = Date.parse(`${text.replace(',', '.')}Z`);
  if (Number.isNaN(local)) return unreadable(`${quoteForMessage(text)} is not a time.`);
  const nearby = [local - DAY_MILLISECONDS, local + DAY_MILLISECONDS].map((instant) => offsetAt(instant, timezone));
  const offsets = [...new Set(nearby)].filter(
    (offset) => offsetAt(local - millisecondsOf(offset), timezone) === offset,
  );
  const [offset] = offsets;
  if (offset === undefined)
    return unreadable(`There was no ${quoteForMessage(text)} in ${timezone}: the clocks were put forward over it.`);
  if (offsets.length === 1) return read(text + offset, 'medium');
  const detail = `${quoteForMessage(text)} came twice in ${timezone}, where the clocks were put back. Write it with its offset.`;
  return ambiguous(
    detail,
    offsets.map((each) => text + each),
  );
}

/** An offset such as `+02:00`. */
function offsetAt(instant: number, timezone: string): string {
  const format =
    formats.get(timezone) ?? new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  formats.set(timezone, format);
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return /[+-]\d{2}:\d{2}/.exec(name)?.[0] ?? '+00:00';
}

function millisecondsOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
