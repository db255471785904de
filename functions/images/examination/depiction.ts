import * as z from 'zod/mini';
import { type GreyImage, histogramOf, percentile } from '../pictures/grey-image.ts';

/** Properties of a page that follow from its greys alone, whatever it shows. */
export const Depiction = z.object({
  /** The range of greys, without the darkest and brightest hundredth. */
  contrast: z.int(),
  /** The number of grey ranges, of 32, that cover a share of the page. Drawings have few, photographs many. */
  tones: z.int(),
  /** Share of the page with edges or texture, from 0 to 1. */
  detail: z.number(),
  /**
   * The share of the differences that lies between large parts of the page, from 0 to 1. Noise is the same everywhere.
   */
  structure: z.number(),
});
export type Depiction = z.output<typeof Depiction>;

/** The depiction of the page with the most contrast. */
export const depictionOfBest = (pages: readonly GreyImage[]): Depiction | undefined =>
  pages.map(depictionOf).toSorted((a, b) => b.contrast - a.contrast)[0];

/** The page is reduced to a square of so many points, which averages out grain and noise. */
const POINTS = 128;
const PARTS = 16;
const TONES = 32;
/** A tone counts from this share of all points. */
const TONE_MIN = 0.005;
/** An edge is where a point differs this much from the mean of its neighbours. */
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

/** Reduces the image to a square of so many points, each the mean of its area. */
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

/** The range of pixels that a point covers; it has at least one. */
function between(point: number, points: number, pixels: number): [number, number] {
  const from = Math.floor((point * pixels) / points);
  return [from, Math.max(from + 1, Math.floor(((point + 1) * pixels) / points))];
}

function deviationOf({ pixels }: GreyImage): number {
  const mean = pixels.reduce((sum, grey) => sum + grey, 0) / pixels.length;
  return Math.sqrt(pixels.reduce((sum, grey) => sum + (grey - mean) ** 2, 0) / pixels.length);
}

/** The share of page parts that contain an edge. A smooth gradient contains none. */
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
