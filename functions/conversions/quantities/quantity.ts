import { ItemRefusal } from '../items/item-refusal.ts';
import { exactOrFraction, exactText, powerOfTen } from './decimal.ts';
import { add, divide, isZero, lowestTerms, multiply, type Rational, subtract } from './rational.ts';
import type { Unit } from './unit-table.ts';

/** How values of one unit become values of another: `value * factor + offset`. */
export interface Conversion {
  readonly factor: Rational;
  readonly offset: Rational;
  /** The factor in digits, as a fraction where these have no end. */
  readonly factorText: string;
  /** `digits / 10 ^ places` is the factor, and `small` the number next to the digits; absent where that has no end or the units differ in their zero. */
  readonly decimal?: { readonly digits: bigint; readonly places: number; readonly small: number };
}

/** Enough for every pair of units that is in real use; beyond it the cache starts again. */
const CONVERSIONS_MAX = 5_000;
/** By the index of the one unit, then of the other. */
let conversions: (Conversion | undefined)[][] = [];
let conversionsKept = 0;

/** The exact conversion between two units of one dimension; refused for others. */
export function conversionOf(from: Unit, to: Unit): Conversion {
  const known = conversions[from.index]?.[to.index];
  if (known) return known;
  if (from.dimension !== to.dimension) {
    throw new ItemRefusal(
      'incompatible-units',
      `${from.code} (${from.dimension}) cannot become ${to.code} (${to.dimension})`,
    );
  }
  const conversion = newConversion(from, to);
  keep(from, to, conversion);
  return conversion;
}

function newConversion(from: Unit, to: Unit): Conversion {
  const factor = lowestTerms(divide(from.size, to.size));
  const offset = lowestTerms(divide(subtract(from.zero, to.zero), to.size));
  const factorText = exactOrFraction(factor);
  const exact = exactText(factor);
  if (exact === undefined || !isZero(offset)) return { factor, offset, factorText };
  const places = exact.split('.')[1]?.length ?? 0;
  const digits = (factor.numerator * powerOfTen(places)) / factor.denominator;
  return { factor, offset, factorText, decimal: { digits, small: Number(digits), places } };
}

function keep(from: Unit, to: Unit, conversion: Conversion): void {
  if (++conversionsKept > CONVERSIONS_MAX) {
    conversions = [];
    conversionsKept = 1;
  }
  const kept = (conversions[from.index] ??= []);
  kept[to.index] = conversion;
}

export function convertQuantity(value: Rational, from: Unit, to: Unit): Rational {
  return converted(value, conversionOf(from, to));
}

export function converted(value: Rational, { factor, offset }: Conversion): Rational {
  const scaled = multiply(value, factor);
  return isZero(offset) ? scaled : add(scaled, offset);
}
