import { readDecimal } from '../quantities/decimal.ts';
import { add, divide, negate, type Rational, rational } from '../quantities/rational.ts';
import { assertShort, type Coordinate, onEarth, unparseable } from './coordinate.ts';

type Token = { readonly kind: 'number' | 'hemisphere' | 'mark' | 'separator'; readonly text: string };

const TOKEN = /(?<number>[+-]?\d+(?:\.\d*)?)|(?<hemisphere>[NSEW])|(?<mark>[°'":])|(?<separator>[,;])|\s+/gy;
const MARKS = [/^[°:]$/, /^[':]$/, /^"$/];
const SIXTY = rational(60n);

/**
 * Reads two angles, latitude first, as `37.7749,-122.4194`, `37°46'29.64"N 122°25'9.84"W`, `N37 46.494 W122 25.164` and
 * the like.
 */
export function readAngles(text: string): Coordinate {
  assertShort(text);
  const [first, second] = halves(tokensOf(text), text);
  const [a, b] = [angle(first, text), angle(second, text)];
  const swapped = isOfLongitude(a) && isOfLatitude(b);
  const [latitude, longitude] = swapped ? [b, a] : [a, b];
  if (isOfLongitude(latitude) || isOfLatitude(longitude)) {
    throw unparseable(text, 'it needs one letter N or S, and one letter E or W');
  }
  return onEarth({ latitude: latitude.degrees, longitude: longitude.degrees });
}

interface Angle {
  readonly degrees: Rational;
  readonly hemisphere: string | undefined;
}

const isOfLongitude = ({ hemisphere }: Angle): boolean => hemisphere === 'E' || hemisphere === 'W';
const isOfLatitude = ({ hemisphere }: Angle): boolean => hemisphere === 'N' || hemisphere === 'S';

function tokensOf(text: string): Token[] {
  const plain = text
    .normalize('NFKC')
    .replace(/^geo:/i, '')
    .replace(/′′|''|[”“]/g, '"')
    .replace(/[′’‘]/g, "'")
    .replace(/º/g, '°')
    .replace(/−/g, '-')
    .toUpperCase()
    .trim();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < plain.length; end = TOKEN.lastIndex) {
    const match = TOKEN.exec(plain);
    if (!match) throw unparseable(text, `${JSON.stringify(plain.charAt(end))} has no meaning in it`);
    for (const kind of ['number', 'hemisphere', 'mark', 'separator'] as const) {
      const letter = match.groups?.[kind];
      if (letter !== undefined) tokens.push({ kind, text: letter });
    }
  }
  return tokens;
}

/** A comma separates the angles; without one the letters do, then the degree signs, then the count of numbers. */
function halves(tokens: readonly Token[], text: string): readonly [Token[], Token[]] {
  const at = partingPoint(tokens);
  if (at === undefined) throw unparseable(text, 'it is not two angles, latitude and longitude');
  return [tokens.slice(0, at), tokens.slice(at).filter(({ kind }) => kind !== 'separator')];
}

function partingPoint(tokens: readonly Token[]): number | undefined {
  const placesOf = (holds: (token: Token) => boolean) =>
    tokens.flatMap((token, index) => (holds(token) ? [index] : []));
  const separators = placesOf(({ kind }) => kind === 'separator');
  if (separators.length > 0) return separators.length === 1 ? separators[0] : undefined;
  const [first, second] = placesOf(({ kind }) => kind === 'hemisphere');
  if (first !== undefined) return first === 0 ? second : first + 1;
  const [, degree] = placesOf(({ text }) => text === '°');
  if (degree !== undefined) return degree - 1;
  const numbers = placesOf(({ kind }) => kind === 'number');
  return numbers.length % 2 === 0 ? numbers[numbers.length / 2] : undefined;
}

function angle(tokens: readonly Token[], text: string): Angle {
  const [hemisphere, second] = tokens.filter(({ kind }) => kind === 'hemisphere');
  if (second || (hemisphere && hemisphere !== tokens[0] && hemisphere !== tokens.at(-1))) {
    throw unparseable(text, 'an angle has one letter, before or after its numbers');
  }
  const numbers = numbersOf(tokens, text);
  const sign = /^[+-]/.exec(numbers[0] ?? '')?.[0];
  if (hemisphere && sign !== undefined) throw unparseable(text, 'an angle has a sign or a letter, not both');
  const magnitude = sexagesimal(numbers, text);
  const below = sign === '-' || hemisphere?.text === 'S' || hemisphere?.text === 'W';
  return { degrees: below ? negate(magnitude) : magnitude, hemisphere: hemisphere?.text };
}

function numbersOf(tokens: readonly Token[], text: string): string[] {
  const numbers: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'number') numbers.push(token.text);
    else if (token.kind === 'mark' && !MARKS[numbers.length - 1]?.test(token.text)) {
      throw unparseable(text, `${token.text} stands in the wrong place`);
    }
  }
  return numbers;
}

/** Degrees without their sign, from degrees, minutes and seconds, of which only the last may have decimals. */
function sexagesimal(numbers: readonly string[], text: string): Rational {
  if (numbers.length < 1 || numbers.length > 3) throw unparseable(text, 'an angle has one to three numbers');
  const parts = numbers.map((number, index) => {
    const part = readDecimal(index === 0 ? number.replace(/^[+-]/, '') : number);
    if (typeof part === 'string' || /^[+-]/.test(index === 0 ? '' : number)) {
      throw unparseable(text, 'minutes and seconds have no sign, and a number at most 400 digits');
    }
    if (index < numbers.length - 1 && number.includes('.')) {
      throw unparseable(text, 'only the last number of an angle may have decimals');
    }
    if (index > 0 && part.numerator >= 60n * part.denominator) throw unparseable(text, 'minutes and seconds end at 60');
    return part;
  });
  return parts.reduceRight((smaller, part) => add(part, divide(smaller, SIXTY)), rational(0n));
}
