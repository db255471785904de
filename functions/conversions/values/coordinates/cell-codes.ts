import { compare, type Rational, rational, subtract } from '../quantities/rational.ts';
import { type Coordinate, unparseable } from './coordinate.ts';

const GEOHASH = '0123456789bcdefghjkmnpqrstuvwxyz';
const PLUS_CODE = '23456789CFGHJMPQRVWX';
/** Cells of the longest plus code per degree: pairs divide by 20 to 1/8000, then rows by 5 and columns by 4, five times. */
const PLUS_ROWS = 8_000n * 5n ** 5n;
const PLUS_COLUMNS = 8_000n * 4n ** 5n;
const PLUS_DIGITS_MAX = 15;

export const GEOHASH_LENGTHS = { shortest: 1, longest: 12, usual: 9 } as const;
export const PLUS_CODE_LENGTHS = { shortest: 2, longest: PLUS_DIGITS_MAX, usual: 10 } as const;

/**
 * Index of the cell that contains an angle, of `count` cells over the range that begins at `from`. The far edge belongs
 * to the last.
 */
function cellOf(angle: Rational, from: bigint, { perDegree, count }: { perDegree: Rational; count: bigint }): bigint {
  const { numerator, denominator } = subtract(angle, rational(from));
  const cell = (numerator * perDegree.numerator) / (denominator * perDegree.denominator);
  return cell < count ? cell : count - 1n;
}

/** Digits of a degree with which the centre of a cell of that height stays within the cell. */
const placesOf = (height: number): number => Math.max(0, Math.ceil(-Math.log10(height / 2)));

/** Exact, where the usual implementations use floating point. */
export function writeGeohash({ latitude, longitude }: Coordinate, length: number): string {
  const [east, north] = [BigInt(Math.ceil((length * 5) / 2)), BigInt(Math.floor((length * 5) / 2))];
  let x = cellOf(longitude, -180n, { perDegree: rational(1n << east, 360n), count: 1n << east });
  let y = cellOf(latitude, -90n, { perDegree: rational(1n << north, 180n), count: 1n << north });
  let code = '';
  let takesEast = (length * 5) % 2 === 1;
  for (let character = 0; character < length; character++) {
    let value = 0;
    for (let bit = 0; bit < 5; bit++) {
      const set = takesEast ? x & 1n : y & 1n;
      if (takesEast) x >>= 1n;
      else y >>= 1n;
      value |= Number(set) << bit;
      takesEast = !takesEast;
    }
    code = GEOHASH.charAt(value) + code;
  }
  return code;
}

/** The centre of the cell. */
export function readGeohash(text: string): Coordinate {
  const code = text.trim().toLowerCase();
  if (!/^[0-9b-hjkmnp-z]{1,12}$/.test(code)) {
    throw unparseable(text, 'a geohash has 1 to 12 characters, digits and letters other than a, i, l and o');
  }
  let [x, y, columns, rows] = [0n, 0n, 1n, 1n];
  for (let index = 0; index < code.length; index++) {
    const value = GEOHASH.indexOf(code.charAt(index));
    for (let bit = 4; bit >= 0; bit--) {
      const set = BigInt((value >> bit) & 1);
      if ((index * 5 + (4 - bit)) % 2 === 0) [x, columns] = [x * 2n + set, columns * 2n];
      else [y, rows] = [y * 2n + set, rows * 2n];
    }
  }
  return {
    longitude: rational((2n * x + 1n) * 180n - 180n * columns, columns),
    latitude: rational((2n * y + 1n) * 90n - 90n * rows, rows),
    places: placesOf(Math.min(180 / Number(rows), 360 / Number(columns))),
  };
}

export function writePlusCode({ latitude, longitude }: Coordinate, length: number): string {
  const turned = compare(longitude, rational(180n)) === 0 ? rational(-180n) : longitude;
  let y = cellOf(latitude, -90n, { perDegree: rational(PLUS_ROWS), count: 180n * PLUS_ROWS });
  let x = cellOf(turned, -180n, { perDegree: rational(PLUS_COLUMNS), count: 360n * PLUS_COLUMNS });
  let code = '';
  for (let digit = 0; digit < 5; digit++) {
    code = PLUS_CODE.charAt(Number((y % 5n) * 4n + (x % 4n))) + code;
    [y, x] = [y / 5n, x / 4n];
  }
  for (let pair = 0; pair < 5; pair++) {
    code = PLUS_CODE.charAt(Number(y % 20n)) + PLUS_CODE.charAt(Number(x % 20n)) + code;
    [y, x] = [y / 20n, x / 20n];
  }
  const digits = code.slice(0, length).padEnd(8, '0');
  return `${digits.slice(0, 8)}+${digits.slice(8)}`;
}

/** The centre of the cell of a full code; short codes need a reference location. */
export function readPlusCode(text: string): Coordinate {
  const code = text.trim().toUpperCase();
  if (/^(?:[2-9CFGHJMPQRVWX]{2}){1,3}\+[2-9CFGHJMPQRVWX]{2,7}$/.test(code)) {
    throw unparseable(text, 'it is a short plus code, which needs a place nearby; send the full code');
  }
  const whole = /^([2-9C][2-9CFGHJMPQRV][2-9CFGHJMPQRVWX]{6})\+([2-9CFGHJMPQRVWX]{2,7})?$/.exec(code);
  const padded = /^([2-9C][2-9CFGHJMPQRV](?:[2-9CFGHJMPQRVWX]{2}){0,2})(?:00){1,3}\+$/.exec(code);
  if (!whole && !(padded && code.length === 9)) throw unparseable(text, 'a plus code is written like 849VQHFJ+X6');
  const digits = whole ? `${whole[1]}${whole[2] ?? ''}` : (padded?.[1] ?? '');
  let [y, x, rows, columns] = [0n, 0n, 9n, 18n];
  for (let index = 0; index < digits.length; index++) {
    const value = BigInt(PLUS_CODE.indexOf(digits.charAt(index)));
    if (index >= 10) {
      [y, x, rows, columns] = [y * 5n + value / 4n, x * 4n + (value % 4n), rows * 5n, columns * 4n];
    } else if (index % 2 === 0) [y, rows] = [y * 20n + value, index === 0 ? rows : rows * 20n];
    else [x, columns] = [x * 20n + value, index === 1 ? columns : columns * 20n];
  }
  return {
    latitude: rational((2n * y + 1n) * 90n - 90n * rows, rows),
    longitude: rational((2n * x + 1n) * 180n - 180n * columns, columns),
    places: placesOf(Math.min(180 / Number(rows), 360 / Number(columns))),
  };
}
