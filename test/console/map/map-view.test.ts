import { geoMercator } from 'd3-geo';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Box,
  boxAround,
  boxIn,
  boxOf,
  boxText,
  MAP_HEIGHT,
  MAP_WIDTH,
  metersPerPixel,
  moved,
  type Position,
  pointAt,
  viewAround,
  viewOf,
  WORLD,
  widthOf,
  zoomed,
} from '../../../functions/console/map/map-view.ts';

const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true });
const latitude = degrees(84);
const box: fc.Arbitrary<Box> = fc
  .record({ west: degrees(180), east: degrees(180), a: latitude, b: latitude })
  .map(({ west, east, a, b }) => ({ west, east, south: Math.min(a, b), north: Math.max(a, b) }));
const position: fc.Arbitrary<Position> = fc.record({ longitude: degrees(179.9), latitude });

/** The rounding of sines and logarithms. */
const isOnDrawing = (view: ReturnType<typeof viewOf>, at: Position) => {
  const { longitude } = at;
  return [-1e-7, 1e-7].some((turn) => pointAt(view, { ...at, longitude: longitude + turn }) !== undefined);
};

describe('the view around a position', () => {
  it('shows as many metres on both sides as it was asked for, the position in the middle', () => {
    fc.assert(
      fc.property(position, fc.integer({ min: 1_000, max: 150_000 }), (at, meters) => {
        const view = viewAround({ ...at, latitude: at.latitude * 0.9 }, meters);
        expect((metersPerPixel(view) * MAP_WIDTH) / 2).toBeCloseTo(meters, 3);
        const [x = 0, y = 0] = pointAt(view, { ...at, latitude: at.latitude * 0.9 }) ?? [];
        expect([x, y]).toEqual([expect.closeTo(MAP_WIDTH / 2, 3), expect.closeTo(MAP_HEIGHT / 2, 3)]);
      }),
    );
  });
});

describe('the view of a box', () => {
  it('shows every position inside of the box', () => {
    fc.assert(
      fc.property(
        box,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (one, x, y) => {
          const width = one.east >= one.west ? one.east - one.west : one.east - one.west + 360;
          const longitude = ((one.west + 1e-6 + x * Math.max(0, width - 2e-6) + 540) % 360) - 180;
          const inside = { longitude, latitude: one.south + (0.0001 + y * 0.9998) * (one.north - one.south) };
          const view = viewOf(one);
          // A view of the whole way round is as high as its width allows.
          return widthOf(view) > 359 || isOnDrawing(view, inside);
        },
      ),
    );
  });

  it('gives its own box back, so that a link leads to the same map', () => {
    fc.assert(
      fc.property(box, (one) => {
        const shown = boxOf(viewOf(one));
        const again = boxOf(viewOf(shown));
        expect([again.south, again.north]).toEqual([expect.closeTo(shown.south, 6), expect.closeTo(shown.north, 6)]);
        // 180 and -180 are the same meridian.
        for (const side of ['west', 'east'] as const) {
          expect(Math.cos(((again[side] - shown[side]) * Math.PI) / 180)).toBeCloseTo(1, 12);
        }
      }),
    );
  });

  it('goes over the antimeridian where west lies east of east', () => {
    const fiji = viewOf({ west: 175, south: -20, east: -175, north: -15 });
    expect(widthOf(fiji)).toBeCloseTo(10, 6);
    expect(pointAt(fiji, { longitude: -179, latitude: -17 })).toBeDefined();
    expect(pointAt(fiji, { longitude: 0, latitude: -17 })).toBeUndefined();
    expect(boxOf(fiji)).toMatchObject({ west: expect.closeTo(175, 6), east: expect.closeTo(-175, 6) });
  });

  it('places positions where the projection of the outlines does', () => {
    const wholeWorld: Box = { west: 0, east: -5e-324, south: 0, north: 0 };
    fc.assert(
      fc.property(box, position, (one, at) => {
        const view = viewOf(one);
        const point = pointAt(view, at);
        if (!point) return;
        const outlines = geoMercator()
          .rotate([-view.longitude, 0])
          .scale(view.pixelsPerRadian)
          .translate([MAP_WIDTH / 2, MAP_HEIGHT / 2 + view.y * view.pixelsPerRadian]);
        const [x = 0, y = 0] = outlines([at.longitude, at.latitude]) ?? [];
        // The meridian opposite the centre may be at either edge of a view of the whole world.
        const wayRound = 2 * Math.PI * view.pixelsPerRadian;
        const apart = Math.abs(x - point[0]) % wayRound;
        expect(Math.min(apart, wayRound - apart)).toBeLessThan(0.5);
        expect(y).toBeCloseTo(point[1], 1);
      }),
      { examples: [[wholeWorld, { longitude: -6e-14, latitude: 0 }]] },
    );
  });

  it('never leaves the globe, however often it is zoomed and moved', () => {
    const step = fc.record({ factor: fc.constantFrom(0.5, 1, 2), right: degrees(1), up: degrees(1) });
    fc.assert(
      fc.property(box, fc.array(step, { maxLength: 40 }), (one, steps) => {
        const view = steps.reduce(
          (now, { factor, right, up }) => moved(zoomed(now, factor), { right, up }),
          viewOf(one),
        );
        const { west, south, east, north } = boxOf(view);
        expect(Math.abs(west)).toBeLessThanOrEqual(180);
        expect(Math.abs(east)).toBeLessThanOrEqual(180);
        expect(south).toBeGreaterThanOrEqual(-85.001);
        expect(north).toBeLessThanOrEqual(85.001);
        expect(boxIn(boxText(boxOf(view)))).toBeDefined();
      }),
    );
  });

  it('zooms around its middle', () => {
    const before = viewOf({ west: 10, south: 40, east: 14, north: 42 });
    const after = zoomed(before, 2);
    expect(widthOf(after)).toBeCloseTo(widthOf(before) / 2, 9);
    expect([after.longitude, after.y]).toEqual([before.longitude, before.y]);
  });
});

describe('the box of an address', () => {
  it('is four numbers on the globe, south first, and nothing else', () => {
    expect(boxIn('-122.5,47.1,-122,47.9')).toEqual({ west: -122.5, south: 47.1, east: -122, north: 47.9 });
    for (const text of [
      '',
      '1,2,3',
      '1,2,3,4,5',
      '0,10,1,9',
      '181,0,2,1',
      '0,-91,1,1',
      'a,b,c,d',
      '1e2,0,1,1',
      ' 1,2,3,4',
    ]) {
      expect(boxIn(text), text).toBeUndefined();
    }
  });
});

describe('the box around positions', () => {
  it('shows all of them', () => {
    fc.assert(
      fc.property(fc.array(position, { minLength: 1, maxLength: 20 }), (positions) => {
        const view = viewOf(boxAround(positions) ?? WORLD);
        if (widthOf(view) > 359) return;
        for (const one of positions) expect(pointAt(view, one)).toBeDefined();
      }),
    );
  });

  it('takes the short way over the antimeridian, and is not there for nothing', () => {
    const around = boxAround([
      { longitude: 178, latitude: -17 },
      { longitude: -178, latitude: -18 },
    ]);
    expect(around?.west).toBeGreaterThan(170);
    expect(around?.east).toBeLessThan(-170);
    expect(boxAround([])).toBeUndefined();
  });
});

it('a pixel spans what it spans on the sphere', () => {
  const equator = viewOf({ west: -1, south: -0.5, east: 1, north: 0.5 });
  // Two degrees of the equator.
  expect(metersPerPixel(equator) * MAP_WIDTH).toBeCloseTo((6_371_008.8 * 2 * Math.PI) / 180, 0);
});
