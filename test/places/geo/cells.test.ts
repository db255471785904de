import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covering, coveringBox, type LeafRange, positionOf, rankedCells } from '../../../functions/places/geo/cells.ts';
import { distanceMeters, EARTH_RADIUS_METERS } from '../../../functions/places/geo/distance.ts';
import { placeClouds, pointAt, randomFrom } from '../../support/places/place-clouds.ts';

const holds = ({ cell, from, to }: LeafRange, position: { cell: string; leaf: string }): boolean =>
  cell === position.cell && from <= position.leaf && position.leaf <= to;

describe('distances', () => {
  it('are those of great circles, from a hundredth of a metre to half the globe', () => {
    expect(distanceMeters({ latitude: 90, longitude: 0 }, { latitude: -90, longitude: 77 })).toBeCloseTo(
      Math.PI * EARTH_RADIUS_METERS,
      6,
    );
    // Paris to London, https://www.movable-type.co.uk/scripts/latlong.html with the same radius.
    const [paris, london] = [
      { latitude: 48.8566, longitude: 2.3522 },
      { latitude: 51.5074, longitude: -0.1278 },
    ];
    expect(distanceMeters(paris, london)).toBeCloseTo(343_557, -1);
    for (const meters of [0.01, 1, 50, 5_000, 50_000]) {
      expect(distanceMeters(paris, pointAt(paris, meters, 1))).toBeCloseTo(meters, 4);
    }
  });

  it('do not depend on the direction, nor on how a meridian is written', () => {
    const east = { latitude: 10, longitude: 180 };
    const west = { latitude: 10, longitude: -180 };
    expect(distanceMeters(east, west)).toBeCloseTo(0, 6);
    const other = { latitude: 11, longitude: 179.5 };
    expect(distanceMeters(west, other)).toBeCloseTo(distanceMeters(other, west), 9);
  });
});

describe('positions in the index', () => {
  it('are tokens of the same length, so that their order is that of the curve', () => {
    const random = randomFrom(4);
    for (let i = 0; i < 2_000; i += 1) {
      const position = positionOf({ latitude: random() * 180 - 90, longitude: random() * 360 - 180 });
      expect(position.leaf).toMatch(/^[0-9a-f]{16}$/);
      // A cell of level 5 has 3 bits for its face, 10 for its place in it, and a 1 behind them.
      expect(position.cell).toMatch(/^[0-9a-f]{1,4}$/);
      expect(position.leaf.startsWith(position.cell.slice(0, 3))).toBe(true);
    }
  });
});

describe('coverings of circles', () => {
  it('hold every point of the circle, in as few ranges as they may have', () => {
    fc.assert(
      fc.property(placeClouds(60), fc.integer({ min: 4, max: 8 }), ({ places, query }, ranges) => {
        const { centre, radiusMeters } = query;
        const cover = covering(centre, radiusMeters, ranges);
        expect(cover.length).toBeLessThanOrEqual(ranges);
        for (const place of places.filter((one) => distanceMeters(centre, one) <= radiusMeters)) {
          expect(cover.some((range) => holds(range, positionOf(place)))).toBe(true);
        }
        for (const [at, range] of cover.entries()) {
          expect(range.from <= range.to).toBe(true);
          const next = cover[at + 1];
          if (next?.cell === range.cell) expect(range.to < next.from).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('know how far their cells are: no point of a cell is nearer', () => {
    fc.assert(
      fc.property(placeClouds(60), ({ places, query: { centre, radiusMeters } }) => {
        const cells = rankedCells(centre, radiusMeters, 8).flatMap((cell) => [cell, ...cell.parts()]);
        for (const place of places) {
          const position = positionOf(place);
          for (const { range, distance } of cells) {
            if (holds(range, position)) expect(distanceMeters(centre, place)).toBeGreaterThanOrEqual(distance);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('can be divided down to the smallest cells, which consist of themselves', () => {
    let [cell] = rankedCells({ latitude: 1, longitude: 2 }, 50, 4);
    for (let level = 0; level < 40; level += 1) cell = cell?.parts().at(-1);
    expect(cell?.range.from).toBe(cell?.range.to);
  });
});

describe('coverings of boxes', () => {
  it('hold every point of the box, also over the antimeridian and around a pole', () => {
    const random = randomFrom(5);
    const boxes = [
      { west: 2, south: 48, east: 3, north: 49 },
      { west: 179.5, south: -1, east: -179.5, north: 1 },
      { west: -180, south: 89, east: 180, north: 90 },
      { west: 10, south: 10, east: 10, north: 10 },
      { west: 170, south: -80, east: -100, north: -60 },
    ];
    for (const box of boxes) {
      const cover = coveringBox(box);
      const width = box.west <= box.east ? box.east - box.west : box.east - box.west + 360;
      for (let i = 0; i < 200; i += 1) {
        const longitude = ((box.west + random() * width + 540) % 360) - 180;
        const position = positionOf({ latitude: box.south + random() * (box.north - box.south), longitude });
        expect(cover.some((range) => holds(range, position))).toBe(true);
      }
    }
  });
});
