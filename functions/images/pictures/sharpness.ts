import type { GreyImage } from './grey-image.ts';

/** The contrast at an edge is measured over this many pixels on either side. */
const WINDOW = 5;
/** Pictures with less sharpness (`sharpnessOf`) are invalid as unreadable (`verdict/picture-rules.ts`), and are not read. */
export const SHARPNESS_MIN = 0.15;
/** A step with less contrast is paper texture, not print. */
const CONTRAST_MIN = 40;
const EDGES_MIN = 200;

/**
 * The share of an edge's step that falls within one pixel, as the median over all edges of print: 0.3 and more is
 * sharp, below 0.15 unreadable. Undefined if there are hardly any edges. The image must be 1000 pixels wide and
 * median-filtered. Unlike the variance of the Laplacian, the result does not rise with noise or fall with faded print.
 */
export function sharpnessOf({ width, height, pixels }: GreyImage): number | undefined {
  const steps: number[] = [];
  for (let y = 0; y < height; y += 2) {
    for (let x = WINDOW; x < width - WINDOW - 1; x += WINDOW) {
      const edge = steepest(pixels, y * width + x);
      if (edge !== undefined) steps.push(edge);
    }
  }
  if (steps.length < EDGES_MIN) return undefined;
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)];
}

function steepest(pixels: Uint8Array, centre: number): number | undefined {
  let [low, high, step] = [255, 0, 0];
  for (let at = centre - WINDOW; at <= centre + WINDOW; at += 1) {
    const grey = pixels[at]!;
    if (grey < low) low = grey;
    if (grey > high) high = grey;
    if (at > centre - WINDOW) step = Math.max(step, Math.abs(grey - pixels[at - 1]!));
  }
  return high - low < CONTRAST_MIN ? undefined : step / (high - low);
}
