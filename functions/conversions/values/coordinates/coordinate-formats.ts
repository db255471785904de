import { ItemRefusal } from '../../items/item-refusal.ts';
import type { RoundingOptions } from '../quantities/decimal.ts';
import { readAngles } from './angle-text.ts';
import {
  GEOHASH_LENGTHS,
  PLUS_CODE_LENGTHS,
  readGeohash,
  readPlusCode,
  writeGeohash,
  writePlusCode,
} from './cell-codes.ts';
import type { Coordinate } from './coordinate.ts';
import { writeDecimal, writeDms } from './decimal-and-dms.ts';
import { readIso6709, writeIso6709 } from './iso6709.ts';
import { MGRS_DIGITS, readMgrs, writeMgrs } from './mgrs.ts';
import { readUtm, writeUtm } from './utm.ts';

export const COORDINATE_FORMATS = ['decimal', 'dms', 'iso6709', 'pluscode', 'geohash', 'mgrs', 'utm'] as const;
export type CoordinateFormat = (typeof COORDINATE_FORMATS)[number];

export interface CoordinateStyle extends RoundingOptions {
  /** The lengths: characters of a geohash, digits of a plus code, digits of easting in MGRS. */
  readonly length?: number | undefined;
}

interface Format {
  readonly read: (text: string) => Coordinate;
  readonly write: (coordinate: Coordinate, style: CoordinateStyle) => string;
}

const FORMATS: Readonly<Record<CoordinateFormat, Format>> = {
  decimal: { read: readAngles, write: writeDecimal },
  dms: { read: readAngles, write: writeDms },
  iso6709: { read: readIso6709, write: writeIso6709 },
  pluscode: {
    read: readPlusCode,
    write: (coordinate, { length }) => writePlusCode(coordinate, plusCodeLength(length)),
  },
  geohash: {
    read: readGeohash,
    write: (coordinate, { length }) => writeGeohash(coordinate, lengthWithin(length, GEOHASH_LENGTHS)),
  },
  mgrs: {
    read: readMgrs,
    write: (coordinate, { length }) => writeMgrs(coordinate, lengthWithin(length, MGRS_DIGITS)),
  },
  utm: { read: readUtm, write: writeUtm },
};

/** Formats whose precision is the length of a code, not digits after a point. */
export const isCode = (format: CoordinateFormat): boolean =>
  format === 'pluscode' || format === 'geohash' || format === 'mgrs';

export const readCoordinate = (text: string, format: CoordinateFormat): Coordinate => FORMATS[format].read(text);

export const writeCoordinate = (
  coordinate: Coordinate,
  { format, ...style }: CoordinateStyle & { readonly format: CoordinateFormat },
): string => FORMATS[format].write(coordinate, style);

interface Lengths {
  readonly shortest: number;
  readonly longest: number;
  readonly usual: number;
}

function lengthWithin(length: number | undefined, { shortest, longest, usual }: Lengths): number {
  if (length === undefined) return usual;
  if (length >= shortest && length <= longest) return length;
  throw new ItemRefusal('precision-out-of-range', `The precision of this code is from ${shortest} to ${longest}.`);
}

function plusCodeLength(length: number | undefined): number {
  const digits = lengthWithin(length, PLUS_CODE_LENGTHS);
  if (digits % 2 === 0 || digits > 10) return digits;
  throw new ItemRefusal('precision-out-of-range', 'A plus code of up to ten digits has an even number of them.');
}
