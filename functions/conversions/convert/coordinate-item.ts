import * as z from 'zod';
import { ItemRefusal } from '../items/item-refusal.ts';
import { Numeric } from '../items/numeric.ts';
import { type Coordinate, onEarth } from '../values/coordinates/coordinate.ts';
import {
  COORDINATE_FORMATS,
  type CoordinateFormat,
  isCode,
  readCoordinate,
  writeCoordinate,
} from '../values/coordinates/coordinate-formats.ts';
import { degreesText } from '../values/coordinates/decimal-and-dms.ts';
import { decimalOf } from '../values/quantities/decimal.ts';
import { base, type Context, precisionOf, roundedBy } from './item-base.ts';

const Format = z.enum(COORDINATE_FORMATS);

export const CoordinateItem = z.strictObject({
  kind: z.literal('coordinate'),
  value: z.union([z.string(), z.strictObject({ latitude: Numeric, longitude: Numeric })]).meta({
    description: 'Latitude before longitude, on WGS 84; as an object where `from` is decimal.',
    examples: ['37.7749,-122.4194'],
  }),
  from: Format,
  to: Format,
  ...base,
});
type CoordinateItem = z.output<typeof CoordinateItem>;

export function convertCoordinateItem(item: CoordinateItem, { options }: Context) {
  const coordinate = coordinateOf(item);
  const { precision, rounding } = roundedBy(item, options);
  const code = isCode(item.to);
  const style = code ? { length: precisionOf(item), rounding } : { precision, rounding };
  const degrees = { precision: code ? undefined : degreePlaces(item.to, precision), rounding };
  return {
    value: writeCoordinate(coordinate, { format: item.to, ...style }),
    latitude: degreesText(coordinate.latitude, coordinate, degrees),
    longitude: degreesText(coordinate.longitude, coordinate, degrees),
    ...(coordinate.altitude !== undefined && { altitude: coordinate.altitude }),
  };
}

/** The precision of seconds and of metres says nothing about degrees. */
const degreePlaces = (format: CoordinateFormat, precision: number | undefined): number | undefined =>
  format === 'decimal' || format === 'iso6709' ? precision : undefined;

function coordinateOf({ value, from }: CoordinateItem): Coordinate {
  if (typeof value === 'string') return readCoordinate(value, from);
  if (from !== 'decimal') {
    throw new ItemRefusal('unparseable-value', `A coordinate as ${from} is a text.`, { pointer: '/value' });
  }
  return onEarth({
    latitude: decimalOf(value.latitude, 'latitude'),
    longitude: decimalOf(value.longitude, 'longitude'),
  });
}
