import { gzipSync } from 'node:zlib';
import { geoMercator, geoPath } from 'd3-geo';
import { assert, asyncProperty, double, record } from 'fast-check';
import { feature, mesh } from 'topojson-client';
import { describe, expect, it } from 'vitest';
import fine from 'world-atlas/countries-50m.json' with { type: 'json' };
import { landIn } from '../../../functions/console/map/land.ts';
import {
  MAP_HEIGHT,
  MAP_WIDTH,
  type MapView,
  viewOf,
  WORLD,
  widthOf,
} from '../../../functions/console/map/map-view.ts';
import { scaleBar } from '../../../functions/console/map/scale-bar.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

describe('land', () => {
  it('is drawn coarsely for the world and finely for a country, each small enough for a page', async () => {
    const world = await landIn(viewOf(WORLD));
    const italy = await landIn(viewOf({ west: 6, south: 36, east: 19, north: 47 }));
    for (const { land, borders } of [world, italy]) {
      expect(land).toMatch(/^M[\d.-]+,[\d.-]+L/);
      expect(borders).toMatch(/^M/);
      expect(gzipSync(land + borders).length).toBeLessThan(40_000);
    }
    // 110 and 50 millions: the same coast has several times the points.
    const coarse = await landIn(viewOf({ west: -31, south: 30, east: 31, north: 50 }));
    const fine = await landIn(viewOf({ west: -29, south: 30, east: 29, north: 50 }));
    expect(fine.land.length).toBeGreaterThan(coarse.land.length);
  });

  it('is the same wherever one looks, whether far pieces of it are drawn or left out', async () => {
    const view = record({
      west: double({ min: -180, max: 179, noNaN: true }),
      south: double({ min: -84, max: 83, noNaN: true }),
      width: double({ min: 0.01, max: 55, noNaN: true }),
      height: double({ min: 0.01, max: 30, noNaN: true }),
    })
      .map(({ west, south, width, height }) =>
        viewOf({ west, south, east: ((west + width + 180) % 360) - 180, north: Math.min(85, south + height) }),
      )
      .filter((one) => widthOf(one) < 60);
    await assert(
      asyncProperty(view, async (one) => {
        const [drawn, all] = [await landIn(one), drawnFromAll(one)];
        const [coasts, expected] = [linesOf(drawn.land), linesOf(all.land)];
        const pixels = GRID.filter((pixel) => ![...coasts, ...expected].some((line) => distance(line, pixel) < 1.5));
        expect(pixels.filter((pixel) => isInside(coasts, pixel))).toEqual(
          pixels.filter((pixel) => isInside(expected, pixel)),
        );
        const [borders, expectedBorders] = [linesOf(drawn.borders), linesOf(all.borders)];
        expect(offLines(borders, expectedBorders)).toEqual([]);
        expect(offLines(expectedBorders, borders)).toEqual([]);
      }),
      {
        numRuns: isThorough ? 30 : 8,
        examples: [
          // Where the world is cut open, and around the pole.
          [viewOf({ west: 165, south: 55, east: -165, north: 72 })],
          [viewOf({ west: 10, south: -85, east: 25, north: -83.5 })],
        ],
      },
    );
  });

  it('is nothing on the open sea', async () => {
    expect(await landIn(viewOf({ west: -31, south: 39, east: -30.9, north: 39.05 }))).toEqual({
      land: '',
      borders: '',
    });
  });
});

type Pixel = readonly [x: number, y: number];

/** Pixels in all parts of the drawing. */
const GRID = Array.from(
  { length: 12 * 8 },
  (_, n): Pixel => [((n % 12) + 0.5) * (MAP_WIDTH / 12), (Math.floor(n / 12) + 0.5) * (MAP_HEIGHT / 8)],
);

/** The lines of a path; a closed one ends where it begins. */
const linesOf = (path: string): readonly (readonly Pixel[])[] =>
  path
    .split(/(?=M)/)
    .filter((part) => part !== '')
    .map((part) => {
      const line = [...part.matchAll(/([\d.-]+),([\d.-]+)/g)].map(([, x, y]): Pixel => [Number(x), Number(y)]);
      return part.endsWith('Z') ? [...line, line[0] ?? [0, 0]] : line;
    });

const segmentsOf = (line: readonly Pixel[]) =>
  line.slice(1).map((to, at): readonly [Pixel, Pixel] => [line[at] ?? to, to]);

/** Returns whether a pixel is filled: a ray from it crosses the lines an odd number of times. */
const isInside = (lines: readonly (readonly Pixel[])[], [x, y]: Pixel): boolean =>
  lines.flatMap(segmentsOf).filter(([a, b]) => {
    if (a[1] > y === b[1] > y) return false;
    return x < a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]);
  }).length %
    2 ===
  1;

/** The distance of a pixel from a line. */
const distance = (line: readonly Pixel[], [x, y]: Pixel): number =>
  Math.min(
    ...segmentsOf(line).map(([a, b]) => {
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const along = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(x - a[0] - along * dx, y - a[1] - along * dy);
    }),
  );

/** The visible points of these lines that are not on one of the others. */
const offLines = (lines: readonly (readonly Pixel[])[], others: readonly (readonly Pixel[])[]): readonly Pixel[] =>
  lines
    .flat()
    .filter(([x, y]) => x >= 0 && x <= MAP_WIDTH && y >= 0 && y <= MAP_HEIGHT)
    .filter((pixel) => !others.some((line) => distance(line, pixel) < 1));

/** All there is, projected on the sphere. Lines between two points are straight on the map, not on the sphere. */
function drawnFromAll(view: MapView) {
  const projection = geoMercator()
    .precision(0)
    .rotate([-view.longitude, 0])
    .scale(view.pixelsPerRadian)
    .translate([MAP_WIDTH / 2, MAP_HEIGHT / 2 + view.y * view.pixelsPerRadian])
    .clipExtent([
      [-8, -8],
      [MAP_WIDTH + 8, MAP_HEIGHT + 8],
    ]);
  const path = geoPath(projection).digits(1);
  const { land, countries } = fine.objects;
  return {
    land: path(feature(fine, land)) ?? '',
    borders: path(mesh(fine, countries, (a, b) => a !== b)) ?? '',
  };
}

describe('the scale bar', () => {
  it('has a round length and is at most as long as it may be', () => {
    expect(scaleBar(1)).toEqual({ pixels: 100, label: '100 m' });
    expect(scaleBar(9)).toMatchObject({ label: '1 km' });
    expect(scaleBar(50_000)).toMatchObject({ label: '5,000 km', pixels: 100 });
    for (const metersPerPixel of [0.4, 3, 77, 1_234, 62_000]) {
      expect(scaleBar(metersPerPixel).pixels).toBeGreaterThan(47);
      expect(scaleBar(metersPerPixel).pixels).toBeLessThanOrEqual(120);
    }
  });
});
