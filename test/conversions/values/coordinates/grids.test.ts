import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CoordinateFormat,
  readCoordinate,
  writeCoordinate,
} from '../../../../functions/conversions/values/coordinates/coordinate-formats.ts';

/** The package has two builds, of which its types describe one and Node imports the other. */
const mgrs = createRequire(import.meta.url)('mgrs') as typeof import('mgrs');

const convert = (text: string, from: CoordinateFormat, to: CoordinateFormat, style = {}) =>
  writeCoordinate(readCoordinate(text, from), { format: to, rounding: 'half-even', ...style });

const angle = (limit: number) =>
  fc
    .integer({ min: -limit * 1_000_000, max: limit * 1_000_000 })
    .map((millionths) => (millionths / 1_000_000).toFixed(6));
const point = fc.tuple(angle(80), angle(180));

describe('UTM and MGRS', () => {
  it('gives the MGRS square of a second implementation, within a metre', () => {
    fc.assert(
      fc.property(point, ([latitude, longitude]) => {
        const ours = convert(`${latitude},${longitude}`, 'decimal', 'mgrs');
        const theirs = mgrs.forward([Number(longitude), Number(latitude)]);
        const [a, b] = [ours, theirs].map((text) => /^(.*)(\d{5})(\d{5})$/.exec(text)) as [
          RegExpExecArray,
          RegExpExecArray,
        ];
        // The other library cuts the last metre of a less exact series, which may also be that of the next square.
        const nearEdge = [a[2], a[3]].some((part) => part === '00000' || part === '99999');
        if (nearEdge) return;
        expect(a[1]).toBe(b[1]);
        for (const part of [2, 3]) expect(Math.abs(Number(a[part]) - Number(b[part]))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each([
    // The edge of a zone on the equator, and the meridian quadrant to 45 degrees: 4984944.378 m, scaled by 0.9996.
    ['0,0', '31 north 166021.443 0.000'],
    ['0,179.999999999999', '60 north 833978.557 0.000'],
    ['45,3', '31 north 500000.000 4982950.400'],
    ['-45,3', '31 south 500000.000 5017049.600'],
  ])('projects %s to %s', (text, expected) => {
    expect(convert(text, 'decimal', 'utm')).toBe(expected);
  });

  it('measures the meridian as the integral of its curvature does, to a micrometre', () => {
    for (let latitude = 1; latitude < 84; latitude += 1.37) {
      const [, , , northing] = convert(`${latitude},9`, 'decimal', 'utm', { precision: 6 }).split(' ');
      if (latitude < 72) expect(Math.abs(Number(northing) - 0.9996 * meridianArc(latitude))).toBeLessThan(2e-6);
    }
  });

  it('asks which S is meant in UTM', () => {
    expect(() => readCoordinate('10S 551130 4180998', 'utm')).toThrow(
      expect.objectContaining({
        code: 'ambiguous-value',
        facts: { candidates: ['10 north 551130 4180998', '10 south 551130 4180998'] },
      }),
    );
    expect(convert('56S 334368 6250948', 'utm', 'utm', { precision: 0 })).toBe('56 south 334368 6250948');
  });
});

/** By Simpson's rule. */
function meridianArc(degrees: number): number {
  const flattening = 1 / 298.257223563;
  const squared = flattening * (2 - flattening);
  const radius = (angle: number) => (6_378_137 * (1 - squared)) / (1 - squared * Math.sin(angle) ** 2) ** 1.5;
  const steps = 2_000;
  const step = (degrees * Math.PI) / 180 / steps;
  let sum = radius(0) + radius(steps * step);
  for (let index = 1; index < steps; index++) sum += radius(index * step) * (index % 2 === 0 ? 2 : 4);
  return (sum * step) / 3;
}
