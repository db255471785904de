import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { turned } from '../../../functions/images/pictures/grey-image.ts';
import { chain, type MappedImage, mapped, unturned } from '../../../functions/images/pictures/homography.ts';
import { greyOf } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { prepared } from '../../../functions/images/pictures/prepare.sharp.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { drawn, MALAYSIAN } from '../drawn-receipts.ts';

/** A black square with white around it among print. */
const MARK = { x: 560, y: 150, side: 60, clear: 24 } as const;

interface Distortion {
  readonly degrees: number;
  readonly margin: number;
  readonly table: boolean;
  readonly scale: number;
  readonly quarters: number;
}

async function drawnMarked(): Promise<Buffer> {
  const { x, y, side, clear } = MARK;
  const square = (grey: number, size: number) =>
    sharp({ create: { width: size, height: size, channels: 3, background: { r: grey, g: grey, b: grey } } }).png();
  const [white, black] = await Promise.all([square(255, side + 2 * clear).toBuffer(), square(0, side).toBuffer()]);
  const receipt = await drawn(MALAYSIAN).png().toBuffer();
  return sharp(receipt)
    .composite([
      { input: white, left: x - clear, top: y - clear },
      { input: black, left: x, top: y },
    ])
    .png()
    .toBuffer();
}

const marked = drawnMarked();

/** The picture, and where in it the middle of the mark lies. */
async function distorted({ degrees, margin, table, scale }: Distortion) {
  const receipt = sharp(await marked);
  const { width, height } = await receipt.metadata();
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const small = await receipt.resize(size).png().toBuffer();
  const background = table ? '#303030' : '#ffffff';
  const level = sharp(small).extend({ top: margin, bottom: margin, left: margin, right: margin, background });
  const leaning = await greyOf(sharp(await level.png().toBuffer()).rotate(degrees, { background }));
  const turn = (degrees * Math.PI) / 180;
  const [dx, dy] = [MARK.x + MARK.side / 2, MARK.y + MARK.side / 2].map(
    (at, axis) => at * scale - (axis === 0 ? size.width : size.height) / 2,
  ) as [number, number];
  return {
    picture: leaning,
    x: leaning.width / 2 + dx * Math.cos(turn) - dy * Math.sin(turn),
    y: leaning.height / 2 + dx * Math.sin(turn) + dy * Math.cos(turn),
  };
}

/** Greys of the image at all points whose way back ends at a distance of the given point. */
function greysAround({ image, back }: MappedImage, to: { x: number; y: number }, within: (apart: number) => boolean) {
  const greys: number[] = [];
  for (let y = 0; y < image.height; y += 3) {
    for (let x = 0; x < image.width; x += 3) {
      const at = mapped(back, { x, y });
      if (within(Math.hypot(at.x - to.x, at.y - to.y))) greys.push(image.pixels[y * image.width + x]!);
    }
  }
  return greys;
}

describe('the way back from a prepared page', () => {
  it.each([0, 1, 2, 3])(
    'leads from each pixel of an image that was turned by %i quarters to where it was',
    (quarters) => {
      const image = { width: 3, height: 2, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) };
      const sideways = turned(image, quarters);
      const way = unturned(image, quarters);
      sideways.pixels.forEach((grey, at) => {
        const middle = { x: (at % sideways.width) + 0.5, y: Math.floor(at / sideways.width) + 0.5 };
        const { x, y } = mapped(way, middle);
        expect(image.pixels[Math.floor(y) * image.width + Math.floor(x)]).toBe(grey);
      });
    },
  );

  it.each(['paper', 'frame', 'plain'] as const)(
    'leads from a mark to where it was drawn, however the page was distorted (%s)',
    async (way) => {
      const distortion = fc.record({
        degrees: fc.integer({ min: -9, max: 9 }),
        margin: fc.integer({ min: 60, max: 300 }),
        table: fc.boolean(),
        scale: fc.constantFrom(0.6, 1, 1.7),
        quarters: fc.integer({ min: 0, max: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(distortion, async (expected) => {
          const { picture, x, y } = await distorted(expected);
          // The opened picture lies on its side, and is turned back to be read.
          const sideways = turned(picture, expected.quarters);
          const quarters = (4 - expected.quarters) % 4;
          const page = await prepared(turned(sideways, quarters), way);
          const back = chain(page.back, unturned(sideways, quarters));
          const { width, height } = picture;
          const to = [
            { x, y },
            { x: height - y, y: x },
            { x: width - x, y: height - y },
            { x: y, y: width - x },
          ][expected.quarters]!;
          const half = (MARK.side / 2) * expected.scale;
          const inside = greysAround({ ...page, back }, to, (apart) => apart < half - 6);
          const outside = greysAround(
            { ...page, back },
            to,
            (apart) => apart > half * 1.42 + 5 && apart < half + MARK.clear * expected.scale - 5,
          );
          expect(inside.length).toBeGreaterThan(20);
          expect(Math.max(...inside)).toBeLessThan(130);
          if (outside.length > 0) expect(Math.min(...outside)).toBeGreaterThan(130);
        }),
        { numRuns: isThorough ? 8 : 1 },
      );
    },
  );
});
