import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { depictionOf, depictionOfBest } from '../../../functions/images/examination/depiction.ts';
import { openFile } from '../../../functions/images/opening/open-file.sharp.ts';
import type { GreyImage } from '../../../functions/images/pictures/grey-image.ts';
import { noPhotograph, withoutContent } from '../../../functions/images/verdict/picture-rules.ts';
import { examination } from '../../support/images/examinations.ts';

const RECEIPTS = join(import.meta.dirname, '..', '..', '..', 'functions', 'images', 'commands', 'examples');
const SIZE = 600;

function picture(greyAt: (x: number, y: number) => number, size = SIZE): GreyImage {
  const pixels = Uint8Array.from({ length: size * size }, (_, at) => greyAt(at % size, Math.floor(at / size)));
  return { width: size, height: size, pixels };
}

/** The same numbers from 0 to 1 in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
const noise = (from: number, to: number) => {
  const random = randomOf(7);
  return picture(() => Math.floor(from + random() * (to - from)));
};

/** What the verdict on a picture of a trusting campaign makes of it. */
function judged(page: GreyImage): 'nothing' | 'doubt' | 'photograph' {
  const image = examination(undefined, { depiction: depictionOf(page) });
  if (withoutContent(image).length > 0) return 'nothing';
  return noPhotograph(image).length > 0 ? 'doubt' : 'photograph';
}

async function pagesOf(bytes: Uint8Array): Promise<readonly GreyImage[]> {
  const opened = await openFile(bytes);
  if (typeof opened === 'string') throw new Error(opened);
  return opened.pages;
}

describe('a picture', () => {
  it.each([
    ['black', picture(() => 0)],
    ['white', picture(() => 255)],
    ['dark, with the grain of a camera', noise(3, 30)],
    ['one pixel', picture(() => 9, 1)],
  ])('that is %s shows nothing', (_what, page) => {
    expect(judged(page)).toBe('nothing');
  });

  it.each([
    ['noise', noise(0, 256)],
    ['a slope', picture((x) => (x * 255) / SIZE)],
    ['a dot on black', picture((x, y) => (Math.hypot(x - 300, y - 300) < 60 ? 255 : 0))],
    ['a board of two colours', picture((x, y) => ((Math.floor(x / 75) + Math.floor(y / 75)) % 2) * 255)],
  ])('of %s is no photograph for certain', (_what, page) => {
    expect(judged(page)).toBe('doubt');
  });

  it('that a camera took is a photograph, however it was compressed or reduced', async () => {
    for (const name of ['cafe', 'grocery', 'torn']) {
      const bytes = readFileSync(join(RECEIPTS, `${name}.jpg`));
      for (const file of [
        bytes,
        await sharp(bytes).jpeg({ quality: 30 }).toBuffer(),
        await sharp(bytes).resize(300).png().toBuffer(),
      ]) {
        const [page] = await pagesOf(file);
        expect(judged(page!), name).toBe('photograph');
      }
    }
  });

  it('of several pages is judged by the page with the most contrast', () => {
    const [blank, page] = [picture(() => 255), noise(0, 256)];
    expect(depictionOfBest([blank, page, blank])).toEqual(depictionOf(page));
    expect(depictionOfBest([])).toBeUndefined();
  });

  it('of any size has shares between 0 and 1', () => {
    const pictures = fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }))
      .chain(([width, height]) =>
        fc
          .uint8Array({ minLength: width * height, maxLength: width * height })
          .map((pixels) => ({ width, height, pixels })),
      );
    fc.assert(
      fc.property(pictures, (page) => {
        const { contrast, tones, detail, structure } = depictionOf(page);
        for (const share of [detail, structure, contrast / 255, tones / 32]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 30 },
    );
  });
});
