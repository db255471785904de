import { numberText } from '#shared/formats/exact-json';
import { readDateField } from '../fields/value-kinds.ts';
import { readDate } from '../values/texts/dates.ts';
import { textOf } from './contact-rules.ts';
import type { Judgement, Spot } from './judgement.ts';
import { unread } from './number-rules.ts';

/** The largest difference to UTC: a day begins up to fourteen hours earlier. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

export function judgeDate(spot: Spot, judgement: Judgement): string | undefined {
  const text = numberText(spot.value) ?? textOf(spot, judgement);
  if (text === undefined) return undefined;
  const reading = readDate(text, spot.context.conventions);
  if (reading.kind !== 'read') return unread(reading, { path: spot.path, code: 'date', judgement });
  if (reading.value !== text) {
    const detail = 'Write the date as YYYY-MM-DD.';
    const whole = readDateField(text, spot.context);
    judgement.warn(spot.path, 'date.format', { detail, suggestion: whole.kind === 'read' ? whole.value : undefined });
  }
  if (!judgement.facts.has(spot.name)) judgement.facts.set(spot.name, { path: spot.path, is: reading.value });
  return reading.value;
}

/** Judges the date of a past event. */
export function judgePast(spot: Spot, judgement: Judgement) {
  const date = judgeDate(spot, judgement);
  if (date === undefined) return;
  const today = new Date(judgement.now + EARLIEST_ZONE_MS).toISOString();
  if (!isAfter(date, today)) return;
  judgement.error(spot.path, 'date.future', { detail: `The date is after today, ${today.slice(0, 10)}.` });
}

/** Compares at the precision that both dates have: a year is not after a day within it. */
export function isAfter(one: string, other: string): boolean {
  const length = Math.min(10, one.length, other.length);
  return one.slice(0, length) > other.slice(0, length);
}
