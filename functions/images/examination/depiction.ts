import * as z from 'zod/mini';
import { type GreyImage, histogramOf, percentile } from '../pictures/grey-image.ts';

/** What a page depicts, by its greys alone, whatever it is. */
export const Depiction = z.object({
  /** Greys between the darkest and the brightest parts, without the outermost hundredths. */
  contrast: z.int(),
  /** Of 32 ranges of grey, how many the page has a share of. A drawing has few, a photograph has many. */
  tones: z.int(),
  /** Share of the page with edges or texture, from 0 to 1. */
  detail: z.number(),
  /** How much of the differences is between large parts of the page, from 0 to 1. Noise is the same everywhere. */
  structure: z.number(),
});
export type Depiction = z.output<typeof Depiction>;

/** That of the page with the most contrast. */
export const depictionOfBest = (pages: readonly GreyImage[]): Depiction | undefined =>
  pages.map(depictionOf).toSorted((a, b) => b.contrast - a.contrast)[0];

/** The page is reduced to so many points each way: grain and noise are averaged away, things are not. */
const POINTS = 128;
const PARTS = 16;
const TONES = 32;
/** Of all points, what a tone has at least. */
const TONE_MIN = 0.005;
/** How much a point differs from the middle of its neighbours where there is an edge. */
const EDGE = 8;

export function depictionOf(page: GreyImage): Depiction {
  const points = reduced(page, POINTS);
  const parts = reduced(points, PARTS);
  const counts = histogramOf(points);
  const ofTone = (tone: number) => counts.subarray((tone * 256) / TONES, ((tone + 1) * 256) / TONES);
  const tones = Array.from({ length: TONES }, (_, tone) => ofTone(tone).reduce((sum, count) => sum + count, 0));
  const spread = deviationOf(points);
  return {
    contrast: percentile(counts, 0.99) - percentile(counts, 0.01),
    tones: tones.filter((count) => count >= TONE_MIN * POINTS * POINTS).length,
    detail: twoDigits(detailOf(points)),
    structure: spread === 0 ? 0 : twoDigits(Math.min(1, deviationOf(parts) / spread)),
  };
}

const twoDigits = (share: number) => Math.round(share * 100) / 100;

/** The image with so many points each way, each the mean of what it stands for. */
function reduced({ width, height, pixels }: GreyImage, size: number): GreyImage {
  const to = new Uint8Array(size * size);
  for (let y = 0; y < size; y += 1) {
    const [top, bottom] = between(y, size, height);
    for (let x = 0; x < size; x += 1) {
      const [left, right] = between(x, size, width);
      let sum = 0;
      for (let row = top; row < bottom; row += 1) {
        for (let at = row * width + left; at < row * width + right; at += 1) sum += pixels[at]!;
      }
      to[y * size + x] = Math.round(sum / ((bottom - top) * (right - left)));
    }
  }
  return { width: size, height: size, pixels: to };
}

/** The pixels of a point, of which there is one at least. */
function between(point: number, points: number, pixels: number): [number, number] {
  const from = Math.floor((point * pixels) / points);
  return [from, Math.max(from + 1, Math.floor(((point + 1) * pixels) / points))];
}

function deviationOf({ pixels }: GreyImage): number {
  const mean = pixels.reduce((sum, grey) => sum + grey, 0) / pixels.length;
  return Math.sqrt(pixels.reduce((sum, grey) => sum + (grey - mean) ** 2, 0) / pixels.length);
}

/** The share of the parts of the page in which there is an edge. A slope without end is none. */
function detailOf({ width, pixels }: GreyImage): number {
  const isDetailed = new Uint8Array(PARTS * PARTS);
  const partOf = (at: number) => Math.floor((at * PARTS) / width);
  for (let y = 1; y < width - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const bend = (step: number) => Math.abs(pixels[at - step]! - 2 * pixels[at]! + pixels[at + step]!);
      if (bend(1) >= EDGE || bend(width) >= EDGE) isDetailed[partOf(y) * PARTS + partOf(x)] = 1;
    }
  }
  return isDetailed.reduce((sum, one) => sum + one, 0) / isDetailed.length;
}
