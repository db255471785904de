import * as fc from 'fast-check';
import { convert as convertCoordinates } from 'geo-coordinates-parser';
import geohash from 'ngeohash';
import { describe, expect, it } from 'vitest';
import { ItemRefusal } from '../../../../functions/conversions/items/item-refusal.ts';
import {
  COORDINATE_FORMATS,
  type CoordinateFormat,
  readCoordinate,
  writeCoordinate,
} from '../../../../functions/conversions/values/coordinates/coordinate-formats.ts';
import { CODE_POINT } from '../../../support/runner/code-points.ts';

const HALF_EVEN = { rounding: 'half-even' } as const;
const convert = (text: string, from: CoordinateFormat, to: CoordinateFormat, style = {}) =>
  writeCoordinate(readCoordinate(text, from), { format: to, ...HALF_EVEN, ...style });

const angle = (limit: number) =>
  fc
    .integer({ min: -limit * 1_000_000, max: limit * 1_000_000 })
    .map((millionths) => (millionths / 1_000_000).toFixed(6));
const point = fc.tuple(angle(80), angle(180));
/** Away from the edges of zones and bands, beyond which the middle of a cell may lie. */
const withinZones = fc
  .tuple(fc.integer({ min: -10, max: 6 }), angle(3), fc.integer({ min: 0, max: 59 }), angle(2))
  .map(([band, latitude, zone, longitude]): [string, string] => [
    (band * 8 + 4 + Number(latitude)).toFixed(6),
    (zone * 6 - 177 + Number(longitude)).toFixed(6),
  ]);

describe('coordinates', () => {
  it.each([
    ['dms', `37°46'29.64"N 122°25'09.84"W`],
    ['iso6709', '+37.7749-122.4194/'],
    ['pluscode', '849VQHFJ+X6'],
    ['geohash', '9q8yyk8yt'],
    ['mgrs', '10SEG5113080998'],
    ['utm', '10 north 551130.768 4180998.881'],
  ] as const)('writes San Francisco as %s: %s', (format, expected) => {
    expect(convert('37.7749,-122.4194', 'decimal', format)).toBe(expected);
    expect(convert(expected, format, format)).toBe(expected);
  });

  it.each([
    `37°46'29.64"N 122°25'9.84"W`,
    '37° 46′ 29.64″ N, 122° 25′ 9.84″ W',
    '37 46 29.64 -122 25 9.84',
    'N37°46.494 W122°25.164',
    '122.4194W 37.7749N',
    '37:46:29.64N, 122:25:09.84W',
    '+37.7749 -122.4194',
    'geo:37.7749,-122.4194',
    '37.7749°, −122.4194°',
  ])('reads %s', (text) => {
    expect(convert(text, 'dms', 'decimal')).toBe('37.7749,-122.4194');
  });

  it('keeps the sign of an angle of no whole degrees', () => {
    expect(convert('-0 30 0, 0 0 0', 'dms', 'decimal')).toBe('-0.5,0');
    expect(convert('-0.5,0.25', 'decimal', 'dms')).toBe(`0°30'00"S 0°15'00"E`);
    expect(convert('-0.5,0.25', 'decimal', 'iso6709')).toBe('-00.5+000.25/');
  });

  it('carries seconds that round up to sixty into the minute and the degree', () => {
    expect(convert('9.999999,-0.9999999', 'decimal', 'dms', { precision: 1 })).toBe(`10°00'00.0"N 1°00'00.0"W`);
  });

  it('reads minutes, seconds and altitude of ISO 6709', () => {
    expect(convert('+374629.64-1222509.84/', 'iso6709', 'decimal')).toBe('37.7749,-122.4194');
    expect(convert('+27.5916+086.5640+8850CRSWGS_84/', 'iso6709', 'iso6709')).toBe('+27.5916+086.564+8850CRSWGS_84/');
  });

  it('is exact between decimal, DMS and ISO 6709', () => {
    fc.assert(
      fc.property(point, fc.constantFrom('dms', 'iso6709'), ([latitude, longitude], format) => {
        const decimal = convert(`${latitude},${longitude}`, 'decimal', 'decimal');
        expect(convert(convert(decimal, 'decimal', format), format, 'decimal')).toBe(decimal);
      }),
    );
  });

  it('returns to the same cell through the digits that it gives for the middle of the cell', () => {
    const code = fc.constantFrom('pluscode', 'geohash', 'mgrs', 'utm');
    fc.assert(
      fc.property(withinZones, code, fc.nat(5), ([latitude, longitude], format, more) => {
        const length = { geohash: 4 + more, mgrs: 5, pluscode: 10 + more, utm: 0 }[format];
        const written = convert(`${latitude},${longitude}`, 'decimal', format, { length });
        expect(convert(convert(written, format, 'decimal'), 'decimal', format, { length })).toBe(written);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the geohash of a second implementation', () => {
    fc.assert(
      fc.property(fc.tuple(angle(89), angle(179)), fc.integer({ min: 1, max: 9 }), (place, length) => {
        // Edges of cells end with the digit 5; the other library gives them to the cell in the south or west.
        const [latitude, longitude] = place.map((each) => `${each}3`) as [string, string];
        expect(convert(`${latitude},${longitude}`, 'decimal', 'geohash', { length })).toBe(
          geohash.encode(Number(latitude), Number(longitude), length),
        );
      }),
    );
  });

  it('reads degrees, minutes and seconds as a second implementation does', () => {
    fc.assert(
      fc.property(fc.tuple(angle(89), angle(179)), ([latitude, longitude]) => {
        const dms = convert(`${latitude},${longitude}`, 'decimal', 'dms', { precision: 2 });
        const theirs = convertCoordinates(dms, 6);
        const [ourLatitude, ourLongitude] = convert(dms, 'dms', 'decimal', { precision: 9 }).split(',').map(Number);
        expect(ourLatitude).toBeCloseTo(theirs.decimalLatitude, 5);
        expect(ourLongitude).toBeCloseTo(theirs.decimalLongitude, 5);
      }),
    );
  });

  it('gives the northernmost and the easternmost cell to the edges of the map', () => {
    expect(convert('90,1', 'decimal', 'pluscode')).toBe('CFX3X2X2+X2');
    expect(convert('0,180', 'decimal', 'pluscode')).toBe('62G22222+22');
    expect(convert('90,180', 'decimal', 'geohash', { length: 5 })).toBe('zzzzz');
    expect(convert('-90,-180', 'decimal', 'geohash', { length: 5 })).toBe('00000');
  });

  it('says that the latitude comes first where the two seem to have changed places', () => {
    expect(refusal('-122.4194,37.7749', 'decimal').message).toContain('The latitude comes first');
  });

  it.each([
    ['91,0', 'decimal'],
    ['0,180.0000001', 'decimal'],
    [`37°60'N 1°E`, 'dms'],
    ['1°2°3° 4', 'dms'],
    ['1,2,3', 'decimal'],
    ['N N', 'dms'],
    ['10N 10S', 'dms'],
    ['-10N 10E', 'dms'],
    ['1.5 30, 2', 'dms'],
    ['+9-1/', 'iso6709'],
    ['+3761-12200/', 'iso6709'],
    ['+37-122CRSepsg4326/', 'iso6709'],
    ['CWC8+R9', 'pluscode'],
    ['FFFFFFFF+FF', 'pluscode'],
    ['8FVC9G8F+6X1', 'pluscode'],
    ['84900000+22', 'pluscode'],
    ['9q8yyk8ytpxra', 'geohash'],
    ['ail', 'geohash'],
    ['10SEG511', 'mgrs'],
    ['61SEG', 'mgrs'],
    ['10SJG', 'mgrs'],
    ['32XMH', 'mgrs'],
    ['31NAL', 'mgrs'],
    ['1 north 99 1', 'utm'],
    ['61 north 500000 1', 'utm'],
    ['10 north 500000 9999999', 'utm'],
  ] as const)('refuses %s as %s', (text, format) => {
    expect(refusal(text, format).code).toBe('unparseable-value');
  });

  it('refuses what has no place on the other map', () => {
    const pole = readCoordinate('85,0', 'decimal');
    expect(() => writeCoordinate(pole, { format: 'utm', ...HALF_EVEN })).toThrow(
      expect.objectContaining({ code: 'unsupported-conversion' }),
    );
    expect(() => writeCoordinate(pole, { format: 'geohash', length: 13, ...HALF_EVEN })).toThrow(
      expect.objectContaining({ code: 'precision-out-of-range' }),
    );
  });

  it('answers any text with a coordinate or a refusal', () => {
    const symbols = fc.string({
      unit: fc.constantFrom(...`0123456789.,-+ °'":NSEWnorthuCFGJX/`.split('')),
      maxLength: 60,
    });
    const text = fc.oneof(
      symbols,
      fc.string({ unit: CODE_POINT, maxLength: 60 }),
      fc.constantFrom(
        '1'.repeat(8_000),
        '1 '.repeat(4_000),
        '\ud800',
        `${'1'.repeat(450)},2`,
        `0.${'1'.repeat(390)},2`,
      ),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...COORDINATE_FORMATS), (each, format) => {
        try {
          readCoordinate(each, format);
        } catch (error) {
          expect(error).toBeInstanceOf(ItemRefusal);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

function refusal(text: string, format: CoordinateFormat): ItemRefusal {
  try {
    readCoordinate(text, format);
  } catch (error) {
    if (error instanceof ItemRefusal) return error;
    throw error;
  }
  throw new Error(`${text} was read`);
}
