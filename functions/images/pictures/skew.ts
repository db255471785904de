import { type GreyImage, histogramOf, otsuThreshold } from './grey-image.ts';

/** Lines that lean further are left to the search for the right quarter turn. */
const DEGREES_MAX = 15;
const COARSE_DEGREES = 1;
const FINE_DEGREES = 0.2;
/** The number of dark points to project: these settle the angle, and more cost time. */
const POINTS_MAX = 40_000;

/**
 * The angle of the lines of print in degrees, positive if they fall to the right. It is the angle at which the
 * projection separates rows from gaps most clearly.
 */
export function skewOf(image: GreyImage): number {
  const points = darkPoints(image);
  if (points.length < 100) return 0;
  const around = (centre: number, reach: number, step: number): number => {
    let [best, angle] = [-1, 0];
    for (let at = -Math.round(reach / step); at <= Math.round(reach / step); at += 1) {
      const degrees = centre + at * step;
      const clear = clarity(points, degrees, image);
      if (clear > best) [best, angle] = [clear, degrees];
    }
    return angle;
  };
  return around(around(0, DEGREES_MAX, COARSE_DEGREES), COARSE_DEGREES, FINE_DEGREES);
}

/** The positions of dark pixels, with x and y alternating. */
function darkPoints(image: GreyImage): Int32Array {
  const { width, pixels } = image;
  const threshold = Math.min(otsuThreshold(histogramOf(image)), 200);
  const dark: number[] = [];
  for (let at = 0; at < pixels.length; at += 1) if (pixels[at]! <= threshold) dark.push(at);
  const step = Math.max(1, Math.ceil(dark.length / POINTS_MAX));
  const points = new Int32Array(2 * Math.ceil(dark.length / step));
  for (let at = 0; at * step < dark.length; at += 1) {
    points[2 * at] = dark[at * step]! % width;
    points[2 * at + 1] = Math.floor(dark[at * step]! / width);
  }
  return points;
}

/** The sum of squared differences between neighbouring rows of the projection. */
function clarity(points: Int32Array, degrees: number, { width, height }: GreyImage): number {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const rows = new Int32Array(2 * width + height + 2);
  for (let at = 0; at < points.length; at += 2) {
    rows[width + Math.round(points[at + 1]! * cos - points[at]! * sin)]! += 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row += 1) sum += (rows[row]! - rows[row - 1]!) ** 2;
  return sum;
}
