import { ItemRefusal, quoteForMessage } from '../../items/item-refusal.ts';
import { exactOrFraction, type RoundingOptions, readDecimal, roundedText } from '../quantities/decimal.ts';
import { convertQuantity } from '../quantities/quantity.ts';
import { add, compare, divide, isZero, type Rational, rational, ZERO } from '../quantities/rational.ts';
import type { Dimension } from '../quantities/unit-definition.ts';
import { unitOf } from '../quantities/unit-lookup.ts';
import type { Unit } from '../quantities/unit-table.ts';
import { ambiguous, type Confidence, type Reading, read, unreadable } from './reading.ts';
import { plainText } from './tidy.ts';
import { readNumber } from './written-numbers.ts';

/** The most parts: miles, yards, feet and inches. */
const PARTS_MAX = 4;
const CHARACTERS_MAX = 200;

const NUMBER =
  /\s*(?:(?:,|&|\+|and|und|et|y)\s)?\s*(\d{1,3}(?:[ '’]\d{3})+(?![\d'])(?:[.,]\d+)?|\d+(?:[.,]\d+)*(?![/⁄])|[.,]\d+)?(?:[ -]?(\d{1,2})[/⁄](\d{1,2}))?/uy;
const UNIT = /\s*(["″]|['′]{1,2}|[\p{L}°][\p{L}\p{M}°. -]*(?:\/[\p{L}]+)?(?:(?<=\p{L})\^?[23](?![\d.,]))?)/uy;
const SIGNS: Readonly<Record<string, string>> = { '"': 'in', '″': 'in', "''": 'in', '′′': 'in', "'": 'ft', '′': 'ft' };

export interface Measure {
  readonly value: Rational;
  /** The unit of the first part, if the text has several. */
  readonly unit: Unit;
}

/** Reads the exact sum of a text such as `2 lbs 3 oz`, `5' 11"` or `1,250 sq ft`. */
export function readMeasure(
  text: string,
  dimensions: readonly Dimension[],
  decimalMark?: '.' | ',',
  unitNamed: typeof unitOf = unitOf,
): Reading<Measure> {
  const written = plainText(text);
  if (written.length > CHARACTERS_MAX) return unreadable('The text is too long for a measure.');
  const parts: Measure[] = [];
  let confidence: Confidence = 'high';
  for (let at = 0; at < written.length; ) {
    const part = nextPart(written, at);
    if (part === undefined || parts.length === PARTS_MAX) return unreadable(noMeasure(text));
    const number = readNumber(part.number, decimalMark);
    if (number.kind !== 'read') return number;
    if (part.unit === '') return unreadable(`${quoteForMessage(text)} names no unit. Write it after the number.`);
    const unit = readUnit(part.unit, dimensions, unitNamed);
    if (unit.kind !== 'read') return unit;
    const value = readDecimal(number.value);
    if (typeof value === 'string') return unreadable(noMeasure(text));
    parts.push({ value: add(value, part.fraction), unit: unit.value });
    if (number.confidence !== 'high') confidence = number.confidence;
    at = part.end;
  }
  return sum(text, parts, confidence);
}

const noMeasure = (text: string): string => `${quoteForMessage(text)} is not a measure. Write a number and a unit.`;

interface Part {
  readonly number: string;
  readonly fraction: Rational;
  readonly unit: string;
  readonly end: number;
}

function nextPart(text: string, at: number): Part | undefined {
  NUMBER.lastIndex = at;
  const [matched = '', number, over, under] = NUMBER.exec(text) ?? [];
  const hasFraction = over !== undefined && Number(under) > 0;
  if (number === undefined && !hasFraction) return undefined;
  UNIT.lastIndex = at + matched.length;
  const [unitMatched = '', name = ''] = UNIT.exec(text) ?? [];
  const end = at + matched.length + unitMatched.length;
  const fraction = hasFraction ? rational(BigInt(over), BigInt(under ?? 1)) : ZERO;
  const unit = name.replace(/\s(and|und|et|y)\s*$/u, '').trim();
  return { number: number ?? '0', fraction, unit: SIGNS[unit] ?? unit, end: name === '' ? text.length : end };
}

/**
 * The unit of a name. If the name has several meanings, those of the expected dimension count: `oz.` of a weight is no
 * volume.
 */
export function readUnit(
  name: string,
  dimensions: readonly Dimension[],
  unitNamed: typeof unitOf = unitOf,
): Reading<Unit> {
  let unit: Unit;
  try {
    unit = unitNamed(name, dimensions);
  } catch (error) {
    if (!(error instanceof ItemRefusal)) throw error;
    const candidates = (error.facts.candidates ?? []).filter((code) => dimensions.includes(unitOf(code).dimension));
    const [only] = candidates;
    if (only === undefined) return unreadable(error.detail);
    if (candidates.length > 1) return ambiguous(error.detail, candidates);
    unit = unitOf(only);
  }
  if (dimensions.includes(unit.dimension)) return read(unit);
  return unreadable(`${unit.code} measures ${unit.dimension}, not ${dimensions.join(' or ')}.`);
}

/** Several parts must be of one kind and become smaller, or the text is not one measure. */
function sum(text: string, parts: readonly Measure[], confidence: Confidence): Reading<Measure> {
  const [first, ...rest] = parts;
  if (first === undefined) return unreadable(noMeasure(text));
  let { value, unit: above } = first;
  for (const { value: more, unit } of rest) {
    const smaller = unit.dimension === first.unit.dimension && compare(unit.size, above.size) < 0;
    if (!smaller || !isZero(unit.zero) || !isZero(first.unit.zero)) return unreadable(noMeasure(text));
    value = add(value, convertQuantity(more, unit, first.unit));
    above = unit;
  }
  return read({ value, unit: first.unit }, confidence);
}

/** The canonical units of records. Other dimensions keep the unit of the text. */
const CANONICAL: Partial<Record<Dimension, string>> = { mass: 'g', length: 'm', area: 'm2', volume: 'L' };
const PLACES = 2;
const SIGNIFICANT_DIGITS = 4;

export interface CanonicalMeasure {
  readonly value: string;
  readonly unit: string;
  /** All digits, or a fraction if they are infinite. */
  readonly exact: string;
}

/** Converts to the canonical unit. Without a precision: two decimals, or four significant digits where these are more. */
export function canonicalMeasure({ value, unit }: Measure, { precision, rounding }: RoundingOptions): CanonicalMeasure {
  const to = unitOf(CANONICAL[unit.dimension] ?? unit.code);
  const converted = convertQuantity(value, unit, to);
  const rounded =
    precision === undefined
      ? roundedText(converted, placesFor(converted), rounding)
          .replace(/(\.\d*?)0+$/, '$1')
          .replace(/\.$/, '')
      : roundedText(converted, precision, rounding);
  return { value: rounded, unit: to.code, exact: exactOrFraction(converted) };
}

function placesFor(value: Rational): number {
  let places = PLACES;
  let limit = divide(rational(10n ** BigInt(SIGNIFICANT_DIGITS - 1)), rational(10n ** BigInt(PLACES)));
  const size = value.numerator < 0n ? rational(-value.numerator, value.denominator) : value;
  for (; places < 30 && !isZero(size) && compare(size, limit) < 0; places++) limit = divide(limit, rational(10n));
  return places;
}
