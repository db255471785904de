import { numberText } from '#shared/formats/exact-json';
import { isFree } from '../fields/context.ts';
import { unitNameOf } from '../fields/fields.ts';
import { readNumberField } from '../fields/value-kinds.ts';
import { isJsonObject } from '../schemas/plain-json.ts';
import { pointerTo } from '../schemas/pointer.ts';
import { readDecimal } from '../values/quantities/decimal.ts';
import { compare, type Rational, rational, ZERO } from '../values/quantities/rational.ts';
import { readMeasure, readUnit } from '../values/texts/measures.ts';
import type { Reading } from '../values/texts/reading.ts';
import { type RoomKind, readRoomCount } from '../values/texts/room-counts.ts';
import { textOf } from './contact-rules.ts';
import type { Judgement, Spot } from './judgement.ts';

const CHARACTERS_MAX = 1_000;

/** The number in a field, from a JSON number or text; otherwise undefined, and an issue is recorded. */
export function numberOf(spot: Spot, judgement: Judgement): Rational | undefined {
  const text = numberText(spot.value) ?? textWithNumber(spot, judgement);
  if (text === undefined) return undefined;
  const plain = text.length > CHARACTERS_MAX ? 'too-many-digits' : readDecimal(text.trim());
  if (typeof plain === 'object') return fact(plain, spot, judgement);
  if (plain === 'too-many-digits') {
    judgement.error(spot.path, 'number.digits', { detail: 'The number has more digits than the service works with.' });
    return undefined;
  }
  const reading = readNumberField(text, spot.context);
  const detail = 'Write the number with a point before the decimals, and nothing between thousands.';
  if (reading.kind !== 'read') return unread(reading, { path: spot.path, code: 'number', judgement });
  judgement.warn(spot.path, 'number.format', { detail, suggestion: reading.value });
  const number = readDecimal(reading.value);
  return typeof number === 'object' ? fact(number, spot, judgement) : undefined;
}

/** Stores a parsed value for the rules that compare several. */
export function fact(number: Rational, { name, path }: Spot, { facts }: Judgement): Rational {
  if (!facts.has(name)) facts.set(name, { path, is: number });
  return number;
}

/** Records an issue for a value that cannot be parsed: a warning if it is ambiguous, because it may be right. */
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

/** Judges a number that must not be negative. */
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

/** The most rooms: a hotel has more rooms than a home has beds. */
const ROOMS_MAX = { beds: 50, baths: 50, rooms: 10_000 };

/** Judges beds and baths, as a number or as `3 beds`, `2.5 ba`. */
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
  const now = new Date(judgement.now).getUTCFullYear();
  if (compare(year, rational(BigInt(now))) > 0) {
    judgement.error(spot.path, 'year.future', { detail: `The year is after ${now}.` });
  } else if (compare(year, rational(BigInt(FIRST_YEAR))) < 0) {
    judgement.error(spot.path, 'year.too-early', { detail: 'The year must have four digits.' });
  }
}

/** Judges `12`, `{ "value": 12, "unit": "kg" }` or `12 kg`: it must be positive, with a unit of the right kind. */
export function judgeMeasure(spot: Spot, judgement: Judgement) {
  const { value, path, name, member, among, context } = spot;
  if (isJsonObject(value) && numberText(value) === undefined) return judgeParts(spot, value, judgement);
  const unitName = unitNameOf(name);
  const unitApart = Object.hasOwn(among, unitName) && !isFree(among[unitName]);
  if (typeof value !== 'string' || typeof readDecimal(value.trim()) === 'object' || unitApart) {
    return judgePositive(spot, judgement);
  }
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const reading = readMeasure(text, member.dimensions, context.conventions?.decimalMark);
  if (reading.kind !== 'read') return unread(reading, { path, code: 'measure', judgement });
  if (compare(reading.value.value, ZERO) <= 0) notPositive(path, judgement);
}

function judgeParts(spot: Spot, among: Spot['among'], judgement: Judgement) {
  const part = (name: string) => ({ ...spot, value: among[name], path: pointerTo(spot.path, name), among });
  if (Object.hasOwn(among, 'unit')) judgeUnit(part('unit'), judgement);
  if (Object.hasOwn(among, 'value')) judgePositive(part('value'), judgement);
  else judgement.error(spot.path, 'measure.no-value', { detail: 'The object needs a member "value".' });
}

function judgePositive(spot: Spot, judgement: Judgement) {
  const number = numberOf(spot, judgement);
  if (number !== undefined && compare(number, ZERO) <= 0) notPositive(spot.path, judgement);
}

const notPositive = (path: string, judgement: Judgement) =>
  judgement.error(path, 'measure.not-positive', { detail: 'The measure must be above 0.' });

export function judgeUnit(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const reading = readUnit(text, spot.member.dimensions);
  if (reading.kind !== 'read') unread(reading, { path: spot.path, code: 'unit', judgement });
}
