import { ItemRefusal } from '../items/item-refusal.ts';
import { add, divide, isZero, lowestTerms, multiply, type Rational, subtract } from './rational.ts';
import type { Unit } from './unit-table.ts';

/** How values of one unit become values of another: `value * factor + offset`. */
interface Conversion {
  readonly factor: Rational;
  readonly offset: Rational;
}

/** Enough for every pair of units that is in real use; beyond it the cache starts again. */
const CONVERSIONS_MAX = 5_000;
const conversions = new Map<Unit, Map<Unit, Conversion>>();
let conversionsKept = 0;

/** The exact conversion between two units of one dimension; refused for others. */
export function conversionOf(from: Unit, to: Unit): Conversion {
  const known = conversions.get(from)?.get(to);
  if (known) return known;
  if (from.dimension !== to.dimension) {
    throw new ItemRefusal(
      'incompatible-units',
      `${from.code} (${from.dimension}) cannot become ${to.code} (${to.dimension})`,
    );
  }
  const conversion = {
    factor: lowestTerms(divide(from.size, to.size)),
    offset: lowestTerms(divide(subtract(from.zero, to.zero), to.size)),
  };
  keep(from, to, conversion);
  return conversion;
}

function keep(from: Unit, to: Unit, conversion: Conversion): void {
  if (++conversionsKept > CONVERSIONS_MAX) {
    conversions.clear();
    conversionsKept = 1;
  }
  const kept = conversions.get(from);
  if (kept) kept.set(to, conversion);
  else conversions.set(from, new Map([[to, conversion]]));
}

export function convertQuantity(value: Rational, from: Unit, to: Unit): Rational {
  const { factor, offset } = conversionOf(from, to);
  const scaled = multiply(value, factor);
  return isZero(offset) ? scaled : add(scaled, offset);
}
