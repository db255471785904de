import { powerOfTen, readDecimal } from './decimal.ts';
import { divide, lowestTerms, multiply, ONE, type Rational, rational, ZERO } from './rational.ts';
import type { Dimension, UnitDefinition } from './unit-definition.ts';
import { DEFINITIONS } from './unit-definitions.ts';

export interface Unit {
  /** The index in `UNITS`. */
  readonly index: number;
  readonly code: string;
  readonly dimension: Dimension;
  /** The size in base units. */
  readonly size: Rational;
  /** The zero point in base units; not zero for temperatures only. */
  readonly zero: Rational;
  /** True for a reciprocal unit: `size` divided by the number gives base units. */
  readonly reciprocal?: true;
  /** True if the size is not exact, because it contains pi. */
  readonly approximate?: true;
  readonly names: readonly string[];
}

/** The prefixes without ronto and quecto: `qm` is how German writes square metres. */
const SI: readonly (readonly [symbol: string, name: string, exponent: number])[] = [
  ['Q', 'quetta', 30],
  ['R', 'ronna', 27],
  ['Y', 'yotta', 24],
  ['Z', 'zetta', 21],
  ['E', 'exa', 18],
  ['P', 'peta', 15],
  ['T', 'tera', 12],
  ['G', 'giga', 9],
  ['M', 'mega', 6],
  ['k', 'kilo', 3],
  ['h', 'hecto', 2],
  ['da', 'deca', 1],
  ['d', 'deci', -1],
  ['c', 'centi', -2],
  ['m', 'milli', -3],
  ['u', 'micro', -6],
  ['n', 'nano', -9],
  ['p', 'pico', -12],
  ['f', 'femto', -15],
  ['a', 'atto', -18],
  ['z', 'zepto', -21],
  ['y', 'yocto', -24],
];
const IEC = ['kibi', 'mebi', 'gibi', 'tebi', 'pebi', 'exbi', 'zebi', 'yobi'];

interface Prefix {
  readonly symbol: string;
  readonly name: string;
  readonly size: Rational;
}

const siPrefixes: readonly Prefix[] = SI.map(([symbol, name, exponent]) => ({
  symbol,
  name,
  size: exponent > 0 ? rational(powerOfTen(exponent)) : rational(1n, powerOfTen(-exponent)),
}));
const thousands = siPrefixes.filter(({ size }) => size.numerator >= 1000n);
const parts = siPrefixes.filter(({ size }) => size.denominator > 1n);
const iecPrefixes: readonly Prefix[] = IEC.map((name, index) => ({
  symbol: `${name.charAt(0).toUpperCase()}i`,
  name,
  size: rational(1024n ** BigInt(index + 1)),
}));
const PREFIXES: Readonly<Record<NonNullable<UnitDefinition['prefixes']>, readonly Prefix[]>> = {
  si: siPrefixes,
  'si-above-one': thousands,
  'si-below-one': parts,
  'iec-and-si': [...thousands, ...iecPrefixes],
};

type UnitWithoutIndex = Omit<Unit, 'index'>;

function allUnits(): Unit[] {
  const dimensions = Object.entries(DEFINITIONS) as [Dimension, readonly UnitDefinition[]][];
  const plain = dimensions.flatMap(([dimension, definitions]) =>
    definitions.map((definition) => ({ definition, unit: plainUnit(definition, dimension) })),
  );
  const prefixed = plain.flatMap(({ definition, unit }) => [
    unit,
    ...(definition.prefixes ? PREFIXES[definition.prefixes].map((prefix) => prefixedUnit(unit, prefix)) : []),
  ]);
  const lengths = plain.filter(({ definition }) => definition.powers).map(({ unit }) => unit);
  const metres = prefixed.filter(
    ({ dimension, code }) => dimension === 'length' && code !== 'm' && /^[a-zA-Z]{1,2}m$/.test(code) && code !== 'ftm',
  );
  const powers = [...lengths, ...metres.filter(({ code }) => code !== 'nmi')].flatMap((unit) => [
    squareOf(unit),
    cubeOf(unit),
  ]);
  const units = [...plain.map(({ unit }) => unit), ...powers, ...prefixed];
  const byCode = new Map(units.map((unit) => [unit.code, unit]));
  return [...byCode.values()].map((unit, index) => ({ ...unit, index }));
}

function plainUnit(
  { code, size, names, zero, reciprocal, approximate }: UnitDefinition,
  dimension: Dimension,
): UnitWithoutIndex {
  return {
    code,
    dimension,
    size: sizeOf(size),
    zero: zero === undefined ? ZERO : sizeOf(zero),
    ...(reciprocal && { reciprocal }),
    ...(approximate && { approximate }),
    names: withPlurals([code, ...names]),
  };
}

/** `0.3048*1/12`: factors, each a decimal or a fraction of two. */
function sizeOf(text: string): Rational {
  const factors = text.split('*').map((factor) => {
    const [over = ONE, under = ONE] = factor.split('/').map(decimal);
    return divide(over, under);
  });
  return lowestTerms(factors.reduce(multiply, ONE));
}

function decimal(text: string): Rational {
  const read = readDecimal(text);
  if (typeof read === 'string') throw new TypeError(`the size ${text} of a unit is no number`);
  return read;
}

function prefixedUnit(unit: UnitWithoutIndex, { symbol, name, size }: Prefix): UnitWithoutIndex {
  // A text without a vowel is a symbol, such as bps.
  const isWord = (text: string) => /^(?=\p{L}*[aeiou])\p{L}{3,}/iu.test(text);
  return {
    code: `${symbol}${unit.code}`,
    dimension: unit.dimension,
    size: lowestTerms(multiply(size, unit.size)),
    zero: ZERO,
    names: unit.names.filter((each) => !each.startsWith('[')).map((each) => `${isWord(each) ? name : symbol}${each}`),
  };
}

/** UCUM writes the square of the foot `[sft_i]`; the forms `sq ft` and `square feet` are in wider use. */
function squareOf(unit: UnitWithoutIndex): UnitWithoutIndex {
  const size = lowestTerms(multiply(unit.size, unit.size));
  return power(unit, { size, dimension: 'area', exponent: 2, words: ['square', 'sq'] });
}

function cubeOf(unit: UnitWithoutIndex): UnitWithoutIndex {
  const size = lowestTerms(multiply(unit.size, multiply(unit.size, unit.size)));
  return power(unit, { size, dimension: 'volume', exponent: 3, words: ['cubic', 'cu'] });
}

interface Power {
  readonly size: Rational;
  readonly dimension: Dimension;
  readonly exponent: 2 | 3;
  readonly words: readonly [string, string];
}

function power(unit: UnitWithoutIndex, { size, dimension, exponent, words: [long, short] }: Power): UnitWithoutIndex {
  const code = `${unit.code}${exponent}`;
  const words = unit.names.filter((name) => /^[\p{L} ]{3,}$/u.test(name));
  const symbols = unit.names.filter((name) => /^[a-zA-Z_]+$/.test(name) && name.length < 5);
  const ucum = unit.names.flatMap((name) => /^\[(\w+)\]$/.exec(name)?.[1] ?? []);
  return {
    code,
    dimension,
    size,
    zero: ZERO,
    names: [
      ...words.map((word) => `${long} ${word}`),
      ...symbols.map((symbol) => `${short} ${symbol}`),
      ...ucum.flatMap((name) => [`[${exponent === 2 ? 's' : 'c'}${name}]`, `[${name}]${exponent}`]),
      ...(EXTRA_NAMES[code] ?? []),
    ],
  };
}

const EXTRA_NAMES: Readonly<Record<string, readonly string[]>> = {
  m2: ['sqm', 'qm', 'm²'],
  ft2: ['sf', 'sqf'],
  m3: ['cbm', 'm³'],
  cm3: ['cc', 'ccm'],
};

const IRREGULAR: Readonly<Record<string, string>> = { foot: 'feet', inch: 'inches' };

/** Words of three letters or more, and their plurals. */
function withPlurals(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const [, lead = '', last = ''] = /^(.*?)(\p{L}{3,})$/u.exec(name) ?? [];
    if (last === '' || !/^[\p{Script=Latin} -]+$/u.test(name) || / (per|of) /.test(name)) return [name];
    return [name, `${lead}${IRREGULAR[last] ?? `${last}s`}`];
  });
}

/** All units, the declared ones first. */
export const UNITS: readonly Unit[] = allUnits();
