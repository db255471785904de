import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  type GreyImage,
  histogramOf,
  noiseOf,
  otsuThreshold,
  percentile,
  turned,
} from '../../../functions/images/pictures/grey-image.ts';
import { homography, mapped, type Quad, rectified } from '../../../functions/images/pictures/homography.ts';
import { greyOf } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { paperQuad } from '../../../functions/images/pictures/paper.ts';
import { pageSharpness, prepared } from '../../../functions/images/pictures/prepare.sharp.ts';
import { printArea } from '../../../functions/images/pictures/print-area.ts';
import { skewOf } from '../../../functions/images/pictures/skew.ts';
import { flattened, whitened } from '../../../functions/images/pictures/whiten.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { drawn, MALAYSIAN } from '../drawn-receipts.ts';

const painted = (width: number, height: number, grey: (x: number, y: number) => number): GreyImage => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height }, (_, at) => grey(at % width, Math.floor(at / width))),
});

const quadAt = (dx: readonly number[]): Quad => [
  { x: dx[0]!, y: dx[1]! },
  { x: 100 + dx[2]!, y: dx[3]! },
  { x: 100 + dx[4]!, y: 100 + dx[5]! },
  { x: dx[6]!, y: 100 + dx[7]! },
];

describe('the map between two quads', () => {
  it('takes every corner to its counterpart', () => {
    const offsets = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(offsets, offsets, (a, b) => {
        const [from, to] = [quadAt(a), quadAt(b)];
        const map = homography(from, to)!;
        for (const [at, corner] of from.entries()) {
          expect(mapped(map, corner).x).toBeCloseTo(to[at]!.x, 6);
          expect(mapped(map, corner).y).toBeCloseTo(to[at]!.y, 6);
        }
      }),
    );
  });

  it('does not exist where three corners lie on one line', () => {
    const line: Quad = [
      { x: 0, y: 0 },
      { x: 50, y: 0 },
      { x: 100, y: 0 },
      { x: 0, y: 100 },
    ];
    expect(homography(line, quadAt([0, 0, 0, 0, 0, 0, 0, 0]))).toBeUndefined();
  });

  it('makes an upright sheet of a slanted one', () => {
    const slanted = painted(100, 100, (x, y) => (x + y > 60 && x + y < 140 && Math.abs(x - y) < 30 ? 250 : 20));
    const sheet = rectified(slanted, [
      { x: 45, y: 17 },
      { x: 83, y: 55 },
      { x: 55, y: 83 },
      { x: 17, y: 45 },
    ]);
    expect(Math.min(...(sheet?.image.pixels ?? [0]))).toBeGreaterThan(200);
  });
});

describe('the sheet of paper in a photograph', () => {
  const sheet = (x: number, y: number) => x > 60 + y / 20 && x < 180 + y / 20 && y > 30 && y < 290;

  it('is found by its corners on a dark table', () => {
    const quad = paperQuad(painted(240, 320, (x, y) => (sheet(x, y) ? 220 : 60)));
    const expected = [61, 31, 181, 31, 194, 289, 75, 289];
    expect(quad?.flatMap(({ x, y }) => [x, y]).every((value, at) => Math.abs(value - expected[at]!) <= 3)).toBe(true);
  });

  it('is not found where contrast is faint, or where the scan is paper from edge to edge', () => {
    expect(paperQuad(painted(240, 320, (x, y) => (sheet(x, y) ? 120 : 90)))).toBeUndefined();
    expect(paperQuad(painted(240, 320, () => 230))).toBeUndefined();
    expect(paperQuad(painted(240, 320, (x) => (x < 140 ? 230 : 60)))).toBeUndefined();
  });
});

describe('greys', () => {
  it('are parted by Otsu between two peaks', () => {
    const counts = new Uint32Array(256);
    counts[40] = 300;
    counts[200] = 700;
    const threshold = otsuThreshold(counts);
    expect(threshold).toBeGreaterThanOrEqual(40);
    expect(threshold).toBeLessThan(200);
  });

  it('of a plane have no noise, and speckle has much', () => {
    expect(noiseOf(painted(50, 50, (x, y) => x + y))).toBe(0);
    expect(noiseOf(painted(50, 50, (x, y) => (x * 7919 + y * 104_729) % 97))).toBeGreaterThan(6);
  });

  it('return to themselves after four quarter turns', () => {
    const image = painted(3, 2, (x, y) => 10 * y + x);
    expect([...turned(image, 1).pixels]).toEqual([10, 0, 11, 1, 12, 2]);
    expect(turned(turned(image, 1), 3)).toEqual(image);
    expect(turned(turned(image, 2), 2)).toEqual(image);
  });

  it('lose a shadow and keep the ink', () => {
    const background = painted(64, 64, (x) => 100 + 2 * x);
    const shadowed = painted(64, 64, (x, y) => (100 + 2 * x) * (y % 8 === 0 ? 0.2 : 1));
    const clean = whitened(flattened(shadowed, background));
    expect([...clean.pixels.subarray(64, 128)].every((grey) => grey === 255)).toBe(true);
    expect([...clean.pixels.subarray(0, 64)].every((grey) => grey < 30)).toBe(true);
  });
});

describe('a prepared page', () => {
  it.each(isThorough ? [-8, -2.4, 3, 11] : [-8, 3])(
    'has lines that are level although the scan leans by %d degrees',
    async (degrees) => {
      const leaning = await greyOf(drawn(MALAYSIAN).rotate(degrees, { background: '#ffffff' }));
      expect(Math.abs(skewOf(leaning) - degrees)).toBeLessThan(0.5);
      const frame = await prepared(leaning, 'frame');
      expect(Math.abs(skewOf(frame.image))).toBeLessThan(0.5);
    },
  );

  it('has lines that are level although a shadow lies across them', async () => {
    const scan = await greyOf(drawn(MALAYSIAN));
    const lit = (x: number, y: number) => 1 - 0.5 / (1 + Math.exp((y + x / 3 - 0.75 * scan.height) / 30));
    const shadowed = painted(scan.width, scan.height, (x, y) => scan.pixels[y * scan.width + x]! * lit(x, y));
    expect(Math.abs(skewOf(shadowed))).toBeGreaterThan(3);
    const frame = await prepared(shadowed, 'frame');
    expect(Math.abs(skewOf(frame.image))).toBeLessThan(0.5);
    expect(Math.abs(frame.image.width / frame.image.height - scan.width / scan.height)).toBeLessThan(0.1);
  });

  it('is cut out of a photograph with its own greys, and is the whole of a scan', async () => {
    const scan = await greyOf(drawn(MALAYSIAN).linear(0.5, 60));
    const { image } = await prepared(scan, 'paper');
    expect(image.width / image.height).toBeCloseTo(scan.width / scan.height, 1);
    const paper = (page: GreyImage) => percentile(histogramOf(page), 0.5);
    expect(Math.abs(paper(image) - paper(scan))).toBeLessThan(3);
    const edges = { top: 150, bottom: 150, left: 200, right: 200, background: '#303030' };
    const photograph = await greyOf(drawn(MALAYSIAN).extend(edges));
    const sheet = (await prepared(photograph, 'paper')).image;
    const border = [...sheet.pixels.subarray(0, sheet.width)].filter((grey) => grey < 128);
    expect(border.length).toBeLessThan(sheet.width / 4);
  });

  it('survives any size, and blank paper', async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 500],
      [500, 1],
      [7, 9],
    ] as const) {
      for (const way of ['paper', 'frame', 'plain'] as const) {
        const { image } = await prepared(
          painted(width, height, () => 200),
          way,
        );
        expect(image.pixels).toHaveLength(image.width * image.height);
      }
    }
  });
});

describe('the part of a page that bears print', () => {
  const print = (x: number, y: number) => (x + 3 * y) % 4 === 0;
  const receipt = (x: number, y: number) => x >= 200 && x < 320 && y >= 150 && y < 330 && print(x, y);
  const speck = (x: number, y: number) => (x === 30 && y === 700) || (x > 560 && x < 575 && y > 20 && y < 35);

  it('is found on a sheet of office paper, without the stains', () => {
    const area = printArea(painted(600, 850, (x, y) => (receipt(x, y) || speck(x, y) ? 30 : 250)));
    expect(area).toEqual({ left: 180, top: 130, width: 160, height: 220 });
  });

  it('holds every part of a receipt that has a gap, up to the edges of the page', () => {
    const two = (x: number, y: number) => x < 300 && (y < 200 || y >= 700) && print(x, y);
    const area = printArea(painted(600, 850, (x, y) => (two(x, y) ? 30 : 250)));
    expect(area).toEqual({ left: 0, top: 0, width: 320, height: 850 });
  });

  it('holds a column of prices far from the names of their items', () => {
    const names = (x: number, y: number) => x >= 60 && x < 260 && y >= 150 && y < 600 && print(x, y);
    const prices = (x: number, y: number) => x >= 420 && x < 450 && y >= 400 && y < 500 && y % 50 < 20 && print(x, y);
    const area = printArea(painted(600, 850, (x, y) => (names(x, y) || prices(x, y) ? 30 : 250)));
    expect(area).toEqual({ left: 40, top: 130, width: 430, height: 490 });
  });

  it('is not cut where print fills the width, on blank paper, and in a photograph on a dark table', () => {
    expect(printArea(painted(600, 850, (x, y) => (print(x, y) ? 30 : 250)))).toBeUndefined();
    expect(printArea(painted(600, 850, () => 250))).toBeUndefined();
    const photograph = (x: number, y: number) => (x > 150 && x < 450 && y > 100 && y < 700 ? 240 : 40);
    expect(printArea(painted(600, 850, photograph))).toBeUndefined();
  });
});

describe('sharpness', () => {
  it('falls as the picture blurs, and does not exist without print', async () => {
    const at = async (sigma: number) => {
      const picture = drawn(MALAYSIAN).resize({ width: 1000 });
      return pageSharpness(await greyOf(sigma === 0 ? picture : sharp(await picture.png().toBuffer()).blur(sigma)));
    };
    const [sharp0, blurred] = [(await at(0)) ?? 0, (await at(3)) ?? 0];
    expect(sharp0).toBeGreaterThan(0.3);
    expect(blurred).toBeLessThan(0.25);
    expect(await pageSharpness(painted(600, 400, () => 220))).toBeUndefined();
  });
});
