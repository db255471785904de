import { numberText } from '#shared/exact-json';
import { readDecimal } from '../knowledge/quantities/decimal.ts';
import { compare, type Rational, rational, ZERO } from '../knowledge/quantities/rational.ts';
import type { Dimension } from '../knowledge/quantities/unit-definition.ts';
import { readMeasure, readUnit } from '../knowledge/texts/measures.ts';
import type { Reading } from '../knowledge/texts/reading.ts';
import { type RoomKind, readRoomCount } from '../knowledge/texts/room-counts.ts';
import { readNumber } from '../knowledge/texts/written-numbers.ts';
import { isJsonObject } from '../schemas/plain-json.ts';
import { pointerTo } from '../schemas/pointer.ts';
import { textOf } from './contact-rules.ts';
import type { Judgement, Spot } from './judgement.ts';

const CHARACTERS_MAX = 1_000;

/** The number in a field, as JSON number or text; undefined, with an issue, where there is none. */
export function numberOf(spot: Spot, judgement: Judgement): Rational | undefined {
  const text = numberText(spot.value) ?? textWithNumber(spot, judgement);
  if (text === undefined) return undefined;
  const plain = text.length > CHARACTERS_MAX ? 'too-many-digits' : readDecimal(text.trim());
  if (typeof plain === 'object') return fact(plain, spot, judgement);
  if (plain === 'too-many-digits') {
    judgement.error(spot.path, 'number.digits', { detail: 'The number has more digits than the service works with.' });
    return undefined;
  }
  const reading = readNumber(text, judgement.about.conventions?.decimalMark);
  const detail = 'Write the number with a point before the decimals, and nothing between thousands.';
  if (reading.kind !== 'read') return unread(reading, { path: spot.path, code: 'number', judgement });
  judgement.warn(spot.path, 'number.format', { detail, suggestion: reading.value });
  const number = readDecimal(reading.value);
  return typeof number === 'object' ? fact(number, spot, judgement) : undefined;
}

/** Keeps what was read for the rules that compare. */
export function fact(number: Rational, { name, path }: Spot, { facts }: Judgement): Rational {
  if (!facts.has(name)) facts.set(name, { path, is: number });
  return number;
}

/** What is ambiguous may still be right. */
export function unread(
  { kind, detail }: Exclude<Reading<unknown>, { kind: 'read' }>,
  { path, code, judgement }: { path: string; code: string; judgement: Judgement },
): undefined {
  judgement[kind === 'ambiguous' ? 'warn' : 'error'](path, `${code}.${kind}`, { detail });
}

function textWithNumber(spot: Spot, judgement: Judgement): string | undefined {
  if (typeof spot.value === 'string') return textOf(spot, judgement);
  judgement.error(spot.path, 'type.number', { detail: 'The value must be a number, or a text that holds one.' });
  return undefined;
}

/** A number that is not negative. */
export function judgeNumber(spot: Spot, judgement: Judgement): Rational | undefined {
  return notNegative(numberOf(spot, judgement), spot, judgement);
}

export function notNegative(number: Rational | undefined, spot: Spot, judgement: Judgement): Rational | undefined {
  if (number === undefined || compare(number, ZERO) >= 0) return number;
  judgement.error(spot.path, 'number.negative', { detail: 'The number cannot be negative.' });
  return undefined;
}

export function judgeCount(spot: Spot, judgement: Judgement): Rational | undefined {
  const number = judgeNumber(spot, judgement);
  if (number === undefined || isWhole(number)) return number;
  judgement.error(spot.path, 'number.not-whole', { detail: 'The number must be whole.' });
  return undefined;
}

const isWhole = ({ numerator, denominator }: Rational): boolean => numerator % denominator === 0n;

/** A hotel has more rooms than a home has beds. */
const ROOMS_MAX = { beds: 50, baths: 50, rooms: 10_000 };

/** Beds and baths, as a number or as `3 beds`, `2.5 ba`. */
export function judgeRooms(spot: Spot, judgement: Judgement, kind: RoomKind) {
  const reading = typeof spot.value === 'string' ? readRoomCount(spot.value, kind) : undefined;
  const plain = reading?.kind === 'read' ? { ...spot, value: reading.value } : spot;
  const number = kind !== 'baths' ? judgeCount(plain, judgement) : judgeNumber(plain, judgement);
  if (number === undefined || compare(number, rational(BigInt(ROOMS_MAX[kind]))) <= 0) return;
  judgement.error(spot.path, `${kind}.too-many`, {
    detail: `More than ${ROOMS_MAX[kind]} ${kind} are not believable.`,
  });
}

const FIRST_YEAR = 1_000;

export function judgeYear(spot: Spot, judgement: Judgement) {
  const year = judgeCount(spot, judgement);
  if (year === undefined) return;
  const now = new Date(judgement.about.now).getUTCFullYear();
  if (compare(year, rational(BigInt(now))) > 0) {
    judgement.error(spot.path, 'year.future', { detail: `The year is after ${now}.` });
  } else if (compare(year, rational(BigInt(FIRST_YEAR))) < 0) {
    judgement.error(spot.path, 'year.too-early', { detail: 'The year must have four digits.' });
  }
}

/** `12`, `{ "value": 12, "unit": "kg" }` or `12 kg`: more than nothing, and in a unit of the right kind. */
export function judgeMeasure(spot: Spot, judgement: Judgement, dimension: Dimension) {
  if (isJsonObject(spot.value) && numberText(spot.value) === undefined) return judgeParts(spot, judgement, dimension);
  const unitName = `${spot.name.replace(/Value$/, '')}Unit`;
  const unit = Object.hasOwn(spot.among, unitName) ? spot.among[unitName] : undefined;
  if (typeof unit === 'string') {
    const parent = spot.path.slice(0, spot.path.lastIndexOf('/'));
    judgeUnit(unit, { path: pointerTo(parent, unitName), judgement, dimension });
  }
  if (typeof spot.value !== 'string' || typeof readDecimal(spot.value.trim()) === 'object' || unit !== undefined) {
    return judgePositive(spot, judgement);
  }
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const reading = readMeasure(text, [dimension], judgement.about.conventions?.decimalMark);
  if (reading.kind !== 'read') return unread(reading, { path: spot.path, code: 'measure', judgement });
  if (compare(reading.value.value, ZERO) <= 0) notPositive(spot.path, judgement);
}

function judgeParts({ value, path, name }: Spot, judgement: Judgement, dimension: Dimension) {
  const among = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(among, 'unit')) {
    const unit = textOf({ value: among['unit'], path: pointerTo(path, 'unit'), name: 'unit', among }, judgement);
    if (unit !== undefined) judgeUnit(unit, { path: pointerTo(path, 'unit'), judgement, dimension });
  }
  if (!Object.hasOwn(among, 'value')) {
    judgement.error(path, 'measure.no-value', { detail: 'The object needs a member "value".' });
  } else judgePositive({ value: among['value'], path: pointerTo(path, 'value'), name, among }, judgement);
}

function judgePositive(spot: Spot, judgement: Judgement) {
  const number = numberOf(spot, judgement);
  if (number !== undefined && compare(number, ZERO) <= 0) notPositive(spot.path, judgement);
}

const notPositive = (path: string, judgement: Judgement) =>
  judgement.error(path, 'measure.not-positive', { detail: 'The measure must be above 0.' });

function judgeUnit(
  unit: string,
  { path, judgement, dimension }: { path: string; judgement: Judgement; dimension: Dimension },
) {
  const reading = readUnit(unit, [dimension]);
  if (reading.kind !== 'read') unread(reading, { path, code: 'unit', judgement });
}
