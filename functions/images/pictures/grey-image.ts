/** Grey pixels, row by row from the top left, one byte each: 0 is black. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export type Histogram = Uint32Array;

export function histogramOf({ pixels }: GreyImage): Histogram {
  const counts = new Uint32Array(256);
  for (const value of pixels) counts[value]! += 1;
  return counts;
}

/** The grey below which this share of the pixels lies. */
export function percentile(counts: Histogram, share: number): number {
  const target = share * counts.reduce((sum, count) => sum + count, 0);
  let counted = 0;
  for (let grey = 0; grey < 256; grey += 1) {
    counted += counts[grey]!;
    if (counted > target) return grey;
  }
  return 255;
}

/** Otsu's threshold: it separates the greys into two classes with the largest variance between them. */
export function otsuThreshold(counts: Histogram): number {
  let total = 0;
  let sum = 0;
  for (let grey = 0; grey < 256; grey += 1) {
    total += counts[grey]!;
    sum += grey * counts[grey]!;
  }
  let [dark, darkSum, best, threshold] = [0, 0, -1, 127];
  for (let grey = 0; grey < 256; grey += 1) {
    dark += counts[grey]!;
    darkSum += grey * counts[grey]!;
    const bright = total - dark;
    if (dark === 0 || bright === 0) continue;
    const between = dark * bright * (darkSum / dark - (sum - darkSum) / bright) ** 2;
    if (between > best) [best, threshold] = [between, grey];
  }
  return threshold;
}

/**
 * The standard deviation of the noise, by Immerkaer's method. Its mask yields 0 on planes and straight edges, so the
 * rest is mostly noise. Dense print raises it.
 */
export function noiseOf({ width, height, pixels }: GreyImage): number {
  if (width < 3 || height < 3) return 0;
  // The mask is a column (1, -2, 1) times the same row, so each column is computed once.
  const column = (at: number) => pixels[at - width]! - 2 * pixels[at]! + pixels[at + width]!;
  let sum = 0;
  for (let y = 1; y < height - 1; y += 1) {
    let left = column(y * width);
    let middle = column(y * width + 1);
    for (let at = y * width + 2; at < (y + 1) * width; at += 1) {
      const right = column(at);
      sum += Math.abs(left - 2 * middle + right);
      left = middle;
      middle = right;
    }
  }
  return (Math.sqrt(Math.PI / 2) * sum) / (6 * (width - 2) * (height - 2));
}

/** The image after 0 to 3 clockwise quarter turns. */
export function turned(image: GreyImage, quarters: number): GreyImage {
  const { width, height, pixels } = image;
  if (quarters % 4 === 0) return image;
  const half = quarters % 4 === 2;
  const [toWidth, toHeight] = half ? [width, height] : [height, width];
  const to = new Uint8Array(pixels.length);
  for (let y = 0; y < toHeight; y += 1) {
    for (let x = 0; x < toWidth; x += 1) {
      const [fromX, fromY] = half
        ? [width - 1 - x, height - 1 - y]
        : quarters % 4 === 1
          ? [y, height - 1 - x]
          : [width - 1 - y, x];
      to[y * toWidth + x] = pixels[fromY * width + fromX]!;
    }
  }
  return { width: toWidth, height: toHeight, pixels: to };
}
