import { type GreyImage, histogramOf, noiseOf, percentile } from './grey-image.ts';

/** The grey of evenly lit paper. It is below 255, so that the paper's noise is not clipped. */
const PAPER = 235;
const INK_SHARE = 0.015;
/** A smaller range is not stretched, because the grain of blank paper would become print. */
const RANGE_MIN = 30;

/** Divides the image by its background, which removes shadows and uneven light. */
export function flattened(image: GreyImage, background: GreyImage): GreyImage {
  const pixels = new Uint8Array(image.pixels.length);
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = Math.min(255, (image.pixels[at]! / Math.max(1, background.pixels[at]!)) * PAPER);
  }
  return { ...image, pixels };
}

/** Makes paper white and the darkest ink black. */
export function whitened(image: GreyImage): GreyImage {
  const counts = histogramOf(image);
  const low = percentile(counts, INK_SHARE);
  const mode = counts.indexOf(Math.max(...counts));
  const high = Math.max(low + RANGE_MIN, mode - 1.6 * noiseOf(image) - 4);
  return stretched(image, low, high);
}

/** Spreads the greys from `low` to `high` over the whole range. */
export function stretched(image: GreyImage, low: number, high: number): GreyImage {
  const table = Uint8Array.from({ length: 256 }, (_, grey) =>
    Math.round(Math.min(1, Math.max(0, (grey - low) / Math.max(1, high - low))) * 255),
  );
  return { ...image, pixels: through(table, image) };
}

/** Darkens faint strokes and keeps white. */
export function darkened(image: GreyImage): GreyImage {
  return { ...image, pixels: through(DARKENED, image) };
}

function through(table: Uint8Array, image: GreyImage): Uint8Array {
  const pixels = new Uint8Array(image.pixels.length);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = table[image.pixels[at]!]!;
  return pixels;
}

const DARKENED = Uint8Array.from({ length: 256 }, (_, grey) => Math.round(255 * (grey / 255) ** 2.5));
