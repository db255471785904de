import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { landIn } from '../../../functions/console/map/land.ts';
import { viewOf, WORLD } from '../../../functions/console/map/map-view.ts';
import { scaleBar } from '../../../functions/console/map/scale-bar.ts';

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

  it('is nothing on the open sea', async () => {
    expect(await landIn(viewOf({ west: -31, south: 39, east: -30.9, north: 39.05 }))).toEqual({
      land: '',
      borders: '',
    });
  });
});

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
