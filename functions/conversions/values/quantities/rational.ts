/** An exact fraction. The denominator is positive; the fraction is not always in lowest terms. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ZERO: Rational = { numerator: 0n, denominator: 1n };
export const ONE: Rational = { numerator: 1n, denominator: 1n };

export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('a fraction has no denominator 0');
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator };
}

export const add = (a: Rational, b: Rational): Rational => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});

export const negate = ({ numerator, denominator }: Rational): Rational => ({ numerator: -numerator, denominator });

export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));

export const multiply = (a: Rational, b: Rational): Rational => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});

/** The divisor must not be zero. */
export const divide = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator);

/** Negative, zero or positive, as `Array.prototype.sort` expects. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export const isZero = ({ numerator }: Rational): boolean => numerator === 0n;

export function lowestTerms({ numerator, denominator }: Rational): Rational {
  if (denominator === 1n) return { numerator, denominator };
  const divisor = commonDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return divisor === 1n
    ? { numerator, denominator }
    : { numerator: numerator / divisor, denominator: denominator / divisor };
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [greater, less] = [a, b];
  while (less > MAX_SAFE) [greater, less] = [less, greater % less];
  if (less === 0n) return greater;
  // Remainders below 2 ^ 53 are exact in floating point, and much faster.
  let [p, q] = [Number(less), Number(greater % less)];
  while (q !== 0) [p, q] = [q, p % q];
  return BigInt(p);
}
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
