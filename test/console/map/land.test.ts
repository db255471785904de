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
        expect(visible(drawn.land).length).toBe(visible(all.land).length);
        expect(visible(drawn.land).join('') === visible(all.land).join('')).toBe(true);
        expect(visible(drawn.borders).join('') === visible(all.borders).join('')).toBe(true);
      }),
      // One where the world is cut open, and any others.
      { numRuns: isThorough ? 30 : 8, examples: [[viewOf({ west: 165, south: 55, east: -165, north: 72 })]] },
    );
  });

  it('is nothing on the open sea', async () => {
    expect(await landIn(viewOf({ west: -31, south: 39, east: -30.9, north: 39.05 }))).toEqual({
      land: '',
      borders: '',
    });
  });
});

/** The parts of a path that touch the drawing: clipping leaves others that lie on the edge of what is clipped. */
const visible = (path: string) =>
  path.split(/(?=M)/).filter((part) => {
    const [xs, ys] = [part.matchAll(/[ML]([\d.-]+),/g), part.matchAll(/,([\d.-]+)/g)].map((found) =>
      [...found].map(([, number]) => Number(number)),
    ) as [number[], number[]];
    const isWithin = (values: number[], most: number) => Math.max(...values) >= 0 && Math.min(...values) <= most;
    return isWithin(xs, MAP_WIDTH) && isWithin(ys, MAP_HEIGHT);
  });

/** All there is, and clipped. */
function drawnFromAll(view: MapView) {
  const projection = geoMercator()
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
