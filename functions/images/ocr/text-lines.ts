import type { Corner } from '../pictures/homography.ts';

/** The share of text that a detector sees in each pixel, row by row from the top left, from 0 to 1. */
export interface TextMap {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** A line of print as a rectangle that may lean: the ends of its axis, from left to right, and its height. */
export interface TextLine {
  readonly from: Corner;
  readonly to: Corner;
  readonly height: number;
}

/** The thresholds of PP-OCRv4's detector: of a pixel, and of the mean of a region. */
const PIXEL_MIN = 0.3;
const REGION_MIN = 0.6;
/** The detector marks the core of a line. The whole line is larger by this factor of area to circumference. */
const UNCLIP = 1.5;
/** Smaller regions are specks. */
const SIDE_MIN = 3;
/** Upright print is not taller than this, in widths of its region. A single character may be. */
const TALL = 2.5;
/** Lines that lean more belong to a page that was not levelled. */
const SLOPE_MAX = 0.2;
/** The slope of shorter regions, in heights, is noise. */
const LONG = 2;

/** Finds lines of print in the detector's map, at most `linesMax`: the largest first. */
export function textLines(map: TextMap, linesMax: number): TextLine[] {
  return regionsOf(map)
    .map((region) => ({ region, line: lineOf(region, map) }))
    .flatMap(({ region, line }) => (line ? [{ size: region.length, line }] : []))
    .sort((a, b) => b.size - a.size)
    .slice(0, linesMax)
    .map(({ line }) => line);
}

/** False also for a value that is not a number. */
const isText = (value: number): boolean => value >= PIXEL_MIN;

/** Groups neighbouring pixels above the threshold. */
function regionsOf({ width, height, values }: TextMap): number[][] {
  const visited = new Uint8Array(values.length);
  const regions: number[][] = [];
  for (let start = 0; start < values.length; start += 1) {
    if (visited[start] || !isText(values[start]!)) continue;
    visited[start] = 1;
    const region = [start];
    for (const at of region) {
      const x = at % width;
      for (let next = at - width; next <= at + width; next += width) {
        if (next < 0 || next >= width * height) continue;
        for (let beside = next - (x > 0 ? 1 : 0); beside <= next + (x < width - 1 ? 1 : 0); beside += 1) {
          if (visited[beside] || !isText(values[beside]!)) continue;
          visited[beside] = 1;
          region.push(beside);
        }
      }
    }
    regions.push(region);
  }
  return regions;
}

function lineOf(region: readonly number[], { width, values }: TextMap): TextLine | undefined {
  let [left, right, top, bottom, sum, sumX, sumY] = [Infinity, -1, Infinity, -1, 0, 0, 0];
  for (const at of region) {
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    sum += values[at]!;
    sumX += x;
    sumY += y;
  }
  const long = right - left + 1;
  if (Math.min(long, bottom - top + 1) < SIDE_MIN || sum < REGION_MIN * region.length) return undefined;
  if (bottom - top + 1 > TALL * long) return undefined;
  const centre = { x: sumX / region.length, y: sumY / region.length };
  const slope = long > LONG * (bottom - top + 1) || long > 100 ? slopeOf(region, centre, width) : 0;
  let [above, below] = [0, 0];
  for (const at of region) {
    const off = Math.floor(at / width) - centre.y - slope * ((at % width) - centre.x);
    above = Math.min(above, off);
    below = Math.max(below, off);
  }
  const high = below - above + 1;
  const grown = (UNCLIP * long * high) / (2 * (long + high));
  const middle = centre.y + (above + below) / 2 + 0.5;
  const yAt = (x: number) => middle + slope * (x - centre.x);
  return {
    from: { x: left - grown, y: yAt(left - grown) },
    to: { x: right + 1 + grown, y: yAt(right + 1 + grown) },
    height: high + 2 * grown,
  };
}

/** The slope of the line through the region, by least squares. */
function slopeOf(region: readonly number[], centre: Corner, width: number): number {
  let [xx, xy] = [0, 0];
  for (const at of region) {
    const dx = (at % width) - centre.x;
    xx += dx * dx;
    xy += dx * (Math.floor(at / width) - centre.y);
  }
  const slope = xy / Math.max(1, xx);
  return Math.abs(slope) > SLOPE_MAX ? 0 : slope;
}
